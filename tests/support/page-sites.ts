/** A response of a site's server, and how long the server takes in ms; `null`: until the client has gone. */
export interface Served {
  readonly type: string;
  readonly text: string;
  readonly takes: number | null;
  readonly status?: number;
  readonly location?: string;
}

/** A site, and what is known from its construction. */
export interface Site {
  readonly host: string;
  readonly served: Readonly<Record<string, Served>>;
  /** What made each request of a load, by the paths of both. */
  readonly causes: Readonly<Record<string, string>>;
  /** The paths that the last response of a load waited for, from the document on. */
  readonly path: readonly string[];
  /** How long the page waits before it makes these requests, in ms. */
  readonly pauses?: Readonly<Record<string, number>>;
}

const html = (takes: number, text: string): Served => ({
  type: "text/html; charset=utf-8",
  takes,
  text: `<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,">${text}</html>`,
});
const script = (takes: number, text: string): Served => ({ type: "text/javascript", takes, text });
const style = (takes: number, text: string): Served => ({ type: "text/css", takes, text });
const json = (takes: number, value: unknown): Served => ({
  type: "application/json",
  takes,
  text: JSON.stringify(value),
});
const picture = (takes: number): Served => ({
  type: "image/svg+xml",
  takes,
  text: "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>",
});

/** Sets the title once the picture that `address` names has come. */
const showing = (address: string): string =>
  `const image = new Image(); image.onload = image.onerror = () => { document.title = "done"; }; image.src = ${address};`;

/** Scripts that inject scripts, a configuration, the data of another host, and a picture of a third. */
const SHOP: Site = {
  host: "shop.test",
  served: {
    "/": html(
      60,
      `<title>shop</title><link rel="stylesheet" href="/look/main-4be1.css"></head><body>
       <img src="/look/logo.svg"><div id="root"></div><script src="/code/loader-91ac.js" defer></script></body>`,
    ),
    "/look/main-4be1.css": style(15, "body { background: url(paper.svg) }"),
    "/look/paper.svg": picture(10),
    "/look/logo.svg": picture(10),
    "/code/loader-91ac.js": script(
      40,
      `const add = (name) => document.head.append(Object.assign(document.createElement("script"), { src: "/code/" + name }));
       add("app-5d20.js");`,
    ),
    "/code/app-5d20.js": script(50, `add("view" + "-77e3.js".replace("-77e3", "-77e3"));`),
    "/code/view-77e3.js": script(
      30,
      `setTimeout(() => fetch("/settings.json").then((one) => one.json()).then(({ home }) => fetch(home))
         .then((one) => one.json()).then(({ picture }) => { ${showing('"https://pictures.test/wide/" + picture')} }), 120);`,
    ),
    "/settings.json": json(25, { home: "https://data.test/front" }),
    "/front": json(120, { picture: "offer-2207.svg" }),
    "/wide/offer-2207.svg": picture(30),
  },
  causes: {
    "/look/main-4be1.css": "/",
    "/look/paper.svg": "/look/main-4be1.css",
    "/look/logo.svg": "/",
    "/code/loader-91ac.js": "/",
    "/code/app-5d20.js": "/code/loader-91ac.js",
    "/code/view-77e3.js": "/code/app-5d20.js",
    "/settings.json": "/code/view-77e3.js",
    "/front": "/settings.json",
    "/wide/offer-2207.svg": "/front",
  },
  path: [
    "/",
    "/code/loader-91ac.js",
    "/code/app-5d20.js",
    "/code/view-77e3.js",
    "/settings.json",
    "/front",
    "/wide/offer-2207.svg",
  ],
  pauses: { "/settings.json": 120 },
};

/**
 * A redirect to the document, fonts from a style sheet, an advertisement in a frame, a long poll and an event stream.
 */
const NEWS: Site = {
  host: "news.test",
  served: {
    "/": { type: "text/html", takes: 40, text: "Moved", status: 302, location: "/en/today" },
    "/en/today": html(
      80,
      `<title>news</title><link rel="preload" as="script" href="/static/reader.js"><link rel="prefetch" href="/en/yesterday">
       <link rel="stylesheet" href="/static/paper.css"></head><body><h1>Today</h1><p>Nothing happened.</p>
       <iframe src="/advert/frame"></iframe><script src="/static/reader.js"></script></body>`,
    ),
    "/en/yesterday": html(20, "<title>yesterday</title></head><body></body>"),
    "/static/paper.css": style(
      50,
      `@font-face { font-family: Paper; src: url("/static/fonts/serif-regular.woff2") format("woff2"); }
       h1, p { font-family: Paper, serif; }`,
    ),
    "/static/fonts/serif-regular.woff2": { type: "font/woff2", takes: 900, text: "no font" },
    "/static/reader.js": script(
      30,
      `new EventSource("/live/events").onmessage = () => {};
       const poll = (since) => fetch("/live/updates?since=" + since).then((one) => one.json()).then(({ next }) => poll(next));
       poll(0);
       addEventListener("load", () => document.fonts.load("16px Paper").finally(() => { document.title = "done"; }));`,
    ),
    "/live/events": { type: "text/event-stream", takes: null, text: "data: hello\n\n" },
    "/live/updates": { type: "application/json", takes: null, text: "" },
    "/advert/frame": html(
      30,
      `<title>advert</title></head><body><img src="/advert/banner.svg"><script src="/advert/count.js"></script></body>`,
    ),
    "/advert/banner.svg": picture(20),
    "/advert/count.js": script(10, `navigator.sendBeacon("/advert/seen", "1");`),
    "/advert/seen": { type: "text/plain", takes: 5, text: "" },
  },
  causes: {
    "/en/today": "/",
    "/static/reader.js": "/en/today",
    "/en/yesterday": "/en/today",
    "/static/paper.css": "/en/today",
    "/static/fonts/serif-regular.woff2": "/static/paper.css",
    "/live/events": "/static/reader.js",
    "/live/updates": "/static/reader.js",
    "/advert/frame": "/en/today",
    "/advert/banner.svg": "/advert/frame",
    "/advert/count.js": "/advert/frame",
    "/advert/seen": "/advert/count.js",
  },
  path: ["/", "/en/today", "/static/paper.css", "/static/fonts/serif-regular.woff2"],
};

/** A frame whose script asks for the tiles of a map, the last of them late. */
const MAP: Site = {
  host: "map.test",
  served: {
    "/": html(
      30,
      `<title>map</title></head><body><img src="/signs/north.svg"><iframe src="/embed/view"></iframe>
       <script>addEventListener("message", () => { document.title = "done"; });</script></body>`,
    ),
    "/signs/north.svg": picture(20),
    "/embed/view": html(
      60,
      `<title>view</title></head><body><script type="module" src="/embed/map.mjs"></script></body>`,
    ),
    "/embed/map.mjs": script(
      40,
      `import { place } from "./place.mjs";
       const { tiles } = await (await fetch("/embed/tiles.json?at=" + place)).json();
       await Promise.all(tiles.map((tile) => fetch("/embed/tiles/" + tile)));
       parent.postMessage("done", "*");`,
    ),
    "/embed/place.mjs": script(30, `export const place = "52,13";`),
    "/embed/tiles.json": json(50, { tiles: ["t-550-336.png", "t-551-336.png"] }),
    "/embed/tiles/t-550-336.png": { type: "image/png", takes: 30, text: "tile" },
    "/embed/tiles/t-551-336.png": { type: "image/png", takes: 140, text: "tile" },
  },
  causes: {
    "/signs/north.svg": "/",
    "/embed/view": "/",
    "/embed/map.mjs": "/embed/view",
    "/embed/place.mjs": "/embed/map.mjs",
    "/embed/tiles.json": "/embed/place.mjs",
    "/embed/tiles/t-550-336.png": "/embed/tiles.json",
    "/embed/tiles/t-551-336.png": "/embed/tiles.json",
  },
  path: ["/", "/embed/view", "/embed/map.mjs", "/embed/place.mjs", "/embed/tiles.json", "/embed/tiles/t-551-336.png"],
};

/** A service worker that fetches what it keeps and what the page asks for, and a route that is imported when needed. */
const APP: Site = {
  host: "app.test",
  served: {
    "/": html(
      50,
      `<title>app</title><link rel="modulepreload" href="/assets/vendor-1f0c.js">
       <link rel="prefetch" href="/assets/about-77aa.js"></head><body><div id="app"></div>
       <script type="module" src="/assets/index-c0de.js"></script></body>`,
    ),
    "/assets/vendor-1f0c.js": script(20, "export const start = (load) => load();"),
    "/assets/about-77aa.js": script(20, "export default {};"),
    "/assets/index-c0de.js": script(
      60,
      `import { start } from "./vendor-1f0c.js";
       const routes = { "/": () => import("./home-beef.js"), "/about": () => import("./about-77aa.js") };
       if (!navigator.serviceWorker.controller) await navigator.serviceWorker.register("/sw.js");
       await navigator.serviceWorker.ready;
       start(routes[location.pathname]);`,
    ),
    "/sw.js": script(
      20,
      `addEventListener("install", (event) => {
         skipWaiting();
         event.waitUntil(caches.open("shell").then((cache) => cache.addAll(["/offline.html"])));
       });
       addEventListener("activate", (event) => event.waitUntil(clients.claim()));
       addEventListener("fetch", (event) => event.respondWith(fetch(event.request)));`,
    ),
    "/offline.html": html(20, "<title>offline</title></head><body></body>"),
    "/assets/home-beef.js": script(
      40,
      `const { hero } = await (await fetch("/api/home", { headers: { accept: "application/json" } })).json();
       ${showing('"/media/" + hero + "/large.svg"')}
       export default {};`,
    ),
    "/api/home": json(90, { hero: "b81c22f0", teasers: [] }),
    "/media/b81c22f0/large.svg": picture(150),
  },
  causes: {
    "/assets/vendor-1f0c.js": "/",
    "/assets/about-77aa.js": "/",
    "/assets/index-c0de.js": "/",
    "/assets/home-beef.js": "/assets/index-c0de.js",
    "/api/home": "/assets/home-beef.js",
    "/media/b81c22f0/large.svg": "/api/home",
  },
  path: ["/", "/assets/index-c0de.js", "/assets/home-beef.js", "/api/home", "/media/b81c22f0/large.svg"],
};

/** Two pages that a person opens in two tabs at the same time. */
const tabOf = (host: string, takes: number): Site => ({
  host,
  served: {
    "/": html(takes, `<title>tab</title></head><body><script src="/${host}/code.js"></script></body>`),
    [`/${host}/code.js`]: script(
      takes / 2,
      `fetch("/${host}/data.json").then((one) => one.json()).then(({ chart }) => { ${showing("chart")} });`,
    ),
    [`/${host}/data.json`]: json(takes, { chart: `/${host}/charts/${takes}.svg` }),
    [`/${host}/charts/${takes}.svg`]: picture(takes),
  },
  causes: {
    [`/${host}/code.js`]: "/",
    [`/${host}/data.json`]: `/${host}/code.js`,
    [`/${host}/charts/${takes}.svg`]: `/${host}/data.json`,
  },
  path: ["/", `/${host}/code.js`, `/${host}/data.json`, `/${host}/charts/${takes}.svg`],
});

/** Sites whose pages are loaded one after another. */
export const SITES: readonly Site[] = [SHOP, NEWS, MAP, APP];

/** Sites whose pages are loaded at the same time. */
export const TABS: readonly Site[] = [tabOf("left.test", 90), tabOf("right.test", 130)];

/** Hosts that sites request parts from. */
export const FURTHER_HOSTS: readonly string[] = ["data.test", "pictures.test"];
