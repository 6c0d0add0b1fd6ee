// Must stay first: what it does, it does while Alpine is loaded.
import "./globals.ts";
import Alpine from "@alpinejs/csp";
import { giveBack } from "./globals.ts";

giveBack();

export { Alpine };
