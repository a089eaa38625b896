import { Controller, Get, Module } from '@nestjs/common';
import { Named, Type } from '../core/json-schema.js';
import { type PublicJwk, TrustedKeys } from '../core/signing.js';
import { Public } from '../http/access/access.decorator.js';
import { type Answer, ok } from '../http/answer.js';
import { Operation, type Operations } from '../http/openapi/operation.js';

const EvidenceKey = Named('EvidenceKey', {
  kty: Type.Literal('OKP'),
  crv: Type.Literal('Ed25519'),
  x: Type.String(),
  kid: Type.String(),
  use: Type.Literal('sig'),
  alg: Type.Literal('EdDSA'),
});

const EvidenceKeys = Named('EvidenceKeys', { keys: Type.Array(EvidenceKey) });

/** Keys change rarely, and former ones stay: an older set lacks at most the newest one. */
const CACHED_SECONDS = 300;

const operations = {
  read: {
    id: 'evidenceKeys.list',
    tag: 'Evaluations',
    summary: 'List the keys that results are signed with',
    description:
      'A JSON Web Key Set of Ed25519 keys, the one of today first. An evaluation’s `evidence.head` names its key by `keyId`; docs/evidence.md describes what is signed.',
    success: {
      status: 200,
      description: 'The public keys.',
      schema: EvidenceKeys,
    },
  },
} satisfies Operations;

/** For auditors, who check signed results without access to the service. */
@Controller('.well-known/evidence-keys.json')
export class EvidenceKeysController {
  constructor(private readonly trusted: TrustedKeys) {}

  @Get()
  @Public()
  @Operation(operations.read)
  read(): Answer<{ readonly keys: readonly PublicJwk[] }> {
    return ok(
      { keys: this.trusted.published },
      { headers: { 'Cache-Control': `public, max-age=${CACHED_SECONDS}` } },
    );
  }
}

@Module({ controllers: [EvidenceKeysController] })
export class EvidenceKeysModule {}
