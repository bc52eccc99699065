// The service worker: the page's shell is there without a network, and never an old one with it.
//
// The build writes its version and the files of the shell in here, so that every page brings a worker of its own.
// Files under assets/ are named by their content and asked for once; whatever leads to them is asked for each time.
// The house itself (api/, ws) is none of its business: what is played is always true, or not there.

// Where the house is on its site; other houses may be beside it, and their caches are theirs.
const BASE = new URL("./", self.location).pathname;
const CACHES = `ludoteca-${BASE}-`;
const CACHE = `${CACHES}__VERSION__`;
const SHELL = [/* __SHELL__ */].map((path) => BASE + path);
// What the house serves besides the page.
const ELSEWHERE = ["api/", "docs/"];

self.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(CACHE);
      // Past the browser's own memory: what is put in here has to be of this version.
      await cache.addAll(SHELL.map((path) => new Request(path, path.startsWith(`${BASE}assets/`) ? {} : { cache: "reload" })));
      await self.skipWaiting();
    })(),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      // Before there were paths, a cache had none in its name.
      const old = (await caches.keys()).filter((name) => (name.startsWith(CACHES) || /^ludoteca-\w+$/.test(name)) && name !== CACHE);
      await Promise.all(old.map((name) => caches.delete(name)));
      await self.clients.claim();
    })(),
  );
});

/** From the network; without one, what the shell has. */
async function fresh(request, path) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await (await caches.open(CACHE)).match(path);
    if (kept) return kept;
    throw error;
  }
}

/** What cannot change: from the cache, or once from the network. */
async function lasting(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (pathname.startsWith(`${BASE}assets/`)) event.respondWith(lasting(request));
  else if (request.mode === "navigate" && !ELSEWHERE.some((part) => pathname.startsWith(BASE + part))) event.respondWith(fresh(request, BASE));
  else if (SHELL.includes(pathname)) event.respondWith(fresh(request, pathname));
});

// A notification leads to its table: to the page that is open there, to any page of ours, or to a new one.
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { path } = event.notification.data;
  const address = BASE + path.slice(1);
  event.waitUntil(
    (async () => {
      const all = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
      const pages = all.filter((one) => new URL(one.url).pathname.startsWith(BASE));
      const page = pages.find((one) => new URL(one.url).pathname === address) ?? pages[0];
      if (!page) return void (await self.clients.openWindow(address));
      await page.focus();
      page.postMessage({ go: path });
    })(),
  );
});
