import { type DynamicModule, Global, Module, type Provider } from '@nestjs/common';
import { CommandContexts } from '../core/command-context.js';
import { CommandStreams } from '../core/handle.js';
import { KeyedHasher } from '../core/keyed-hash.js';
import { TrustedKeys } from '../core/signing.js';
import { ConsistencyTokens } from '../engine/reads/tokens.js';
import { StreamOperations } from '../process/operations/operations.js';
import type { Stores } from '../process/stores.js';
import { DocumentSealer } from '../vault/documents.js';
import { Reads } from './reads.js';
import { CODEC, EVENT_STORE, VAULT, VIEW_READER } from './tokens.js';

/** Provides every module with the process's stores and vault, and services over them: by class, or by token. */
@Global()
@Module({})
export class StoresModule {
  static forRoot(stores: Stores): DynamicModule {
    const providers: Provider[] = [
      { provide: EVENT_STORE, useValue: stores.eventStore },
      { provide: CODEC, useValue: stores.codec },
      { provide: VIEW_READER, useValue: stores.reader },
      { provide: VAULT, useValue: stores.vault },
      { provide: DocumentSealer, useValue: stores.documents },
      { provide: KeyedHasher, useValue: stores.hasher },
      { provide: ConsistencyTokens, useValue: stores.tokens },
      { provide: TrustedKeys, useValue: stores.trustedKeys },
      { provide: CommandStreams, useValue: stores.streams },
      { provide: CommandContexts, useValue: new CommandContexts(stores.hasher) },
      { provide: StreamOperations, useValue: new StreamOperations(stores.streams) },
      Reads,
    ];
    return { module: StoresModule, providers, exports: providers };
  }
}
