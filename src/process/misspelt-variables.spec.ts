import { describe, expect, it } from '@jest/globals';
import { misspeltVariables } from './misspelt-variables.js';

describe('a variable that is nearly one of the service’s', () => {
  it.each([
    ['DATA_KYE', 'DATA_KEY'],
    ['DATADIR', 'DATA_DIR'],
    ['log_level', 'LOG_LEVEL'],
    ['EVENTSTOREDB_URL', 'EVENTSTORE_URL'],
    ['MONGO_URL', 'MONGODB_URL'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['PORTS', 'PORT'],
    ['OPENAI_APIKEY', 'OPENAI_API_KEY'],
    ['SYNTHESIZER', 'SYNTHESISER'],
  ])('is named: %s, meant is %s', (name, meant) => {
    const [sentence, ...others] = misspeltVariables({ [name]: 'a-secret', [meant]: 'x', NODE_ENV: 'test' });
    expect(sentence).toBe(`"${name}" is not a variable of this service: did you mean ${meant}?`);
    expect(others).toEqual([]);
  });

  it.each([
    'HOME',
    'PATH',
    'HOSTNAME',
    'USER',
    'NODE_OPTIONS',
    'TERM',
    'POD_NAME',
    'OPENAI_ORG_ID',
    'npm_config_user',
  ])('is none of others: %s', (name) => {
    expect(misspeltVariables({ [name]: 'x' })).toEqual([]);
  });
});
