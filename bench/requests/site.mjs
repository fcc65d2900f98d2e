// A site on loopback for the server to audit, so that created reports get results, and failures of many kinds.

import {createServer} from 'node:http';

const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>
<meta name="viewport" content="width=device-width"></head><body><main><h1>A page</h1><p>With <a href="/bare">a link</a> and <img src="/none.png">.</p></main></body></html>`;

const html = {'Content-Type': 'text/html; charset=utf-8'};

const answers = {
  '/good': (w) => w.writeHead(200, html).end(page),
  '/bare': (w) => w.writeHead(200, html).end('<p>x'),
  '/none': (w) => w.writeHead(404, html).end(page),
  '/away': (w) => w.writeHead(302, {Location: '/good'}).end(),
  '/loop': (w) => w.writeHead(302, {Location: '/loop'}).end(),
  '/text': (w) => w.writeHead(200, {'Content-Type': 'text/plain'}).end('text'),
  '/late': (w) => setTimeout(() => w.writeHead(200, html).end(page), 500),
  '/torn': (w) => w.writeHead(200, {...html, 'Content-Length': 10_000}).write(page, () => w.destroy()),
  '/none at all': (w) => w.destroy(),
};

// serveSite gives the addresses of its pages, and of some that no audit can reach.
export async function serveSite() {
  const server = createServer((r, w) => (answers[decodeURI(r.url.split('?')[0])] ?? answers['/none'])(w));
  server.on('clientError', (_, socket) => socket.destroy());
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${server.address().port}`;
  const pages = Object.keys(answers).map((path) => origin + encodeURI(path));
  return {
    addresses: [...pages, 'http://127.0.0.1:1/', 'http://192.0.2.1/', 'http://[::1]/', 'https://localhost/'],
    close: () => server.close(),
  };
}
