import { Controller, Get } from '@nestjs/common';
import { Public } from './access/access.decorator.js';
import { type Answer, ok } from './http/answer.js';
import { Operation } from './openapi/operation.js';
import { component, listOf, objectOf, oneOf, text } from '../core/json-schema.js';
import { type PublicJwk, TrustedKeys } from '../core/signing.js';

const key = objectOf({
  kty: oneOf('OKP'),
  crv: oneOf('Ed25519'),
  x: text,
  kid: text,
  use: oneOf('sig'),
  alg: oneOf('EdDSA'),
});

/** Keys change rarely, and former ones stay: whoever holds an older set misses at most the newest. */
const CACHED_SECONDS = 300;

@Controller('.well-known/evidence-keys.json')
export class EvidenceKeysController {
  constructor(private readonly trusted: TrustedKeys) {}

  @Get()
  @Public()
  @Operation({
    id: 'evidenceKeys.read',
    tag: 'Evaluations',
    summary: 'List the keys that results are signed with',
    description:
      'A JSON Web Key Set of Ed25519 keys, the one of today first. An evaluation’s `evidence.head` names its key by `keyId`; docs/evidence.md says what the signature is over.',
    success: {
      status: 200,
      description: 'The public keys.',
      schema: component('EvidenceKeys', objectOf({ keys: listOf(key) })),
    },
  })
  read(): Answer<{ readonly keys: readonly PublicJwk[] }> {
    return ok(
      { keys: this.trusted.published },
      { headers: { 'Cache-Control': `public, max-age=${CACHED_SECONDS}` } },
    );
  }
}
