// Starts a door before a server that adds the API key to each request, since the suite can send none, and changes nothing else: Host and Origin
// come through. It prints the port that it listens on.
//
//   SITEGRADE_KEY=... node door.mjs ADDRESS

import {createServer, request} from 'node:http';

const {hostname, port} = new URL(process.argv[2]);
const authorization = `Bearer ${process.env.SITEGRADE_KEY}`;

const door = createServer((from, to) => {
  const inside = request(
    {hostname, port, method: from.method, path: from.url, headers: {...from.headers, authorization}},
    (response) => {
      to.writeHead(response.statusCode, response.headers);
      response.pipe(to);
    },
  );
  inside.on('error', () => to.destroy());
  from.pipe(inside);
});
door.listen(0, '127.0.0.1', () => console.log(door.address().port));
