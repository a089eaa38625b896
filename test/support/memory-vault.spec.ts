import { describe } from '@jest/globals';
import { audioContract } from '../contracts/vault-audio.js';
import { filesContract } from '../contracts/vault-files.js';
import { readsContract } from '../contracts/vault-reads.js';
import { shortLivedContract } from '../contracts/vault-short-lived.js';
import { MemoryVault } from './memory-vault.js';

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
