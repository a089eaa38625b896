import { describe } from '@jest/globals';
import { audioContract } from '../contracts/vault-audio.js';
import { MemoryVault } from './memory-vault.js';

describe('vault: in memory', () => {
  audioContract(async () => {
    const vault = new MemoryVault();
    return { open: async () => vault, remove: async () => undefined };
  });
});
