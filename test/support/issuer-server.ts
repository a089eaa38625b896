import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDevelopmentIssuer } from '../../src/issuers/development/development-issuer.js';

/** The development issuer alone on a free port, as the API mounts it. */
const server = createServer();
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const issuer = createDevelopmentIssuer({
  issuerUrl: `${process.env.PUBLIC_URL ?? url}/issuer`,
  folder: process.env.DATA_DIR ?? '',
  audience: 'assay',
  onError: (error) => console.error(error),
});
server.on('request', issuer.handler);
console.log(url);
