import { describe } from '@jest/globals';
import { MemoryVault } from '../support/memory-vault.js';
import { audioContract } from './vault-audio.js';
import { filesContract } from './vault-files.js';
import { readsContract } from './vault-reads.js';
import { shortLivedContract } from './vault-short-lived.js';

describe('vault: in memory', () => {
  const start = async () => {
    const vault = new MemoryVault();
    return { open: async () => vault, remove: async () => undefined };
  };
  audioContract(start);
  filesContract(start);
  readsContract(start);
  shortLivedContract(start);
});
