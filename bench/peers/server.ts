import { ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import * as transformer from 'class-transformer';
import * as validator from 'class-validator';
import { memberId, members, type View, VIEWS } from './domain.js';
import { openStore } from './open.js';
import { PeerModule, type Tokens } from './service.js';

/**
 * The service that ours is measured against, made of common libraries, in a process of its own. It prints its URL once it
 * listens. TOKENS has its callers as JSON, see `Tokens`.
 * `TOKENS=… node server.js sqlite|postgresql LOCATION ORGANISATION OWNER`
 */
const [kind = '', location = '', organisationId = '', subject = ''] = process.argv.slice(2);

const store = await openStore(kind, location, VIEWS as readonly unknown[] as readonly View[]);
if ((await store.find(members, memberId(organisationId, subject))) === null)
  await store.append(`member-${memberId(organisationId, subject)}`, 0, [
    { type: 'MemberAdded', data: { organisationId, subject } },
  ]);

const tokens = JSON.parse(process.env['TOKENS'] ?? '{}') as Tokens;
const app = await NestFactory.create<NestFastifyApplication>(
  PeerModule.of(store, tokens),
  new FastifyAdapter({ bodyLimit: 2 * 1024 * 1024 }),
  { logger: ['error', 'warn'] },
);
app.useGlobalPipes(
  new ValidationPipe({
    whitelist: true,
    forbidNonWhitelisted: true,
    transform: true,
    // Given, since Nest would load them from the product's packages, which do not have them.
    validatorPackage: validator as never,
    transformerPackage: transformer as never,
  }),
);
await app.listen(0, '127.0.0.1');
console.log(await app.getUrl());

process.once('SIGTERM', () => {
  void app.close().then(async () => {
    await store.close();
    process.exit(0);
  });
});
