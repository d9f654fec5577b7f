import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  "": "text/plain; charset=utf-8",
};

/** Serves the files of a folder on this machine alone; resolves to the address and a way to end it. Port 0: any that is free. */
export async function serveFolder(folder, port = 0) {
  const server = createServer(async (request, response) => {
    try {
      // Either throws at what is no address.
      const path = normalize(decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname));
      const name = path.endsWith("/") ? `${path}index.html` : path;
      const content = await readFile(join(folder, name));
      response.writeHead(200, { "content-type": TYPES[extname(name)] ?? "application/octet-stream" }).end(content);
    } catch {
      response.writeHead(404, { "content-type": "text/plain" }).end("not found\n");
    }
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = `http://127.0.0.1:${server.address().port}/`;
  return { address, close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()) };
}
