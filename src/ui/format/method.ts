import { SAFE_METHODS } from "../../engine/model/method.ts";

export function isSafeMethod(method: string): boolean {
  return SAFE_METHODS.has(method);
}
