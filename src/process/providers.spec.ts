import { describe, expect, it } from '@jest/globals';
import { readConfiguration } from './config.js';
import { ConfigurationProblem } from './variable-reader.js';
import type { Environment } from './variables.js';

const KEY = 'sk-hunter2';

const problem = (environment: Environment): ConfigurationProblem => {
  try {
    readConfiguration(environment);
  } catch (error) {
    if (error instanceof ConfigurationProblem) return error;
    throw error;
  }
  throw new Error('It was accepted.');
};

describe('the providers of an interview', () => {
  it('are the usual models at the usual address, where only the key is said', () => {
    const usual = { kind: 'openai', baseUrl: 'https://api.openai.com/v1', apiKey: KEY };
    const spoken = { TRANSCRIBER: 'openai', SYNTHESISER: 'openai', OPENAI_API_KEY: KEY };
    expect(readConfiguration(spoken)).toMatchObject({
      interviewer: { kind: 'scripted' },
      transcriber: { ...usual, model: 'whisper-1' },
      synthesiser: { ...usual, model: 'tts-1', voice: 'alloy' },
    });
    expect(readConfiguration({ ...spoken, OPENAI_TRANSCRIPTION_MODEL: 'own' })).toMatchObject({
      transcriber: { model: 'own' },
    });
  });

  it('need no model and no key while none of them is a model', () => {
    expect(readConfiguration({ OPENAI_API_KEY: 'a key of another program' })).toEqual(readConfiguration({}));
  });

  it.each(['TRANSCRIBER', 'SYNTHESISER', 'DETECTOR'])(
    'need %s_COMMAND with command, and refuse it without',
    (name) => {
      const variable = `${name}_COMMAND`;
      expect(readConfiguration({ [name]: 'command', [variable]: ' cat ' })).toMatchObject({
        [name.toLowerCase()]: { kind: 'command', command: 'cat' },
      });
      expect(problem({ [name]: 'command' }).message).toBe(
        `${variable} must be a command line while ${name} is command.`,
      );
      const unused = problem({ [variable]: 'say --secret hunter2' });
      expect(unused.message).toBe(`${variable} is used only while ${name} is command.`);
      expect(problem({ [name]: 'command', [variable]: 'a\0b' }).variable).toBe(variable);
    },
  );

  it.each(['TRANSCRIBER', 'SYNTHESISER'])('refuse %s_COMMAND while a model does its work', (name) => {
    const given = { [name]: 'openai', [`${name}_COMMAND`]: 'cat', OPENAI_API_KEY: KEY };
    expect(problem(given).variable).toBe(`${name}_COMMAND`);
  });

  it('ask no detector unless one is named', () => {
    expect(readConfiguration({})).toMatchObject({ detector: { kind: 'none' } });
    expect(problem({ DETECTOR: 'openai' }).variable).toBe('DETECTOR');
  });

  it.each(['INTERVIEWER', 'SCORER', 'TRANSCRIBER', 'SYNTHESISER'])(
    'need a key while %s is openai',
    (name) => {
      const { variable, message } = problem({ [name]: 'openai', OPENAI_MODEL: 'large' });
      expect(variable).toBe('OPENAI_API_KEY');
      expect(message).toBe(`OPENAI_API_KEY must be set while ${name} is openai.`);
    },
  );

  it.each(['INTERVIEWER', 'SCORER'])('need a model while %s is one', (name) => {
    const { variable, message } = problem({ [name]: 'openai', OPENAI_API_KEY: KEY });
    expect(variable).toBe('OPENAI_MODEL');
    expect(message).toBe(`OPENAI_MODEL must name a model while ${name} is openai.`);
  });

  it('may score by a model and ask by the script', () => {
    const scoring = { SCORER: 'openai', OPENAI_MODEL: 'large', OPENAI_API_KEY: KEY };
    expect(readConfiguration(scoring)).toMatchObject({
      interviewer: { kind: 'scripted' },
      scorer: { kind: 'openai', baseUrl: 'https://api.openai.com/v1', apiKey: KEY, model: 'large' },
    });
    expect(readConfiguration({})).toMatchObject({ scorer: { kind: 'rubric' } });
  });

  it.each<[string, string]>([
    ['OPENAI_API_KEY', 'hunter2 hunter2'],
    ['OPENAI_API_KEY', 'hunter2\r\nX-Other: 1'],
    ['OPENAI_API_KEY', 'hünter2'],
    ['OPENAI_BASE_URL', 'models.example.org'],
    ['OPENAI_BASE_URL', 'ftp://models.example.org'],
    ['OPENAI_BASE_URL', 'http://models.example.org/v1'],
    ['OPENAI_BASE_URL', 'https://user:hunter2@models.example.org/v1'],
    ['OPENAI_BASE_URL', 'https://models.example.org/v1#hunter2'],
    ['OPENAI_BASE_URL', 'http://127.0.0.1.example.org/v1'],
    ['OPENAI_MODEL', 'two words'],
    ['OPENAI_MODEL', 'x'.repeat(201)],
    ['OPENAI_TRANSCRIPTION_MODEL', 'two words'],
    ['OPENAI_SPEECH_MODEL', 'two words'],
    ['OPENAI_VOICE', 'two\nlines'],
  ])('refuse %s=%s in one line that names it and repeats no secret', (name, value) => {
    const all = {
      INTERVIEWER: 'openai',
      TRANSCRIBER: 'openai',
      SYNTHESISER: 'openai',
      OPENAI_MODEL: 'large',
    };
    const { variable, message } = problem({ ...all, OPENAI_API_KEY: KEY, [name]: value });
    expect(variable).toBe(name);
    expect(message).toMatch(new RegExp(`^${name} [^\\n]+\\.$`));
    expect(message).not.toContain('hunter2');
  });

  it('may be a server of this machine, in plain text and without a key', () => {
    const near = { INTERVIEWER: 'openai', OPENAI_MODEL: 'm' };
    for (const host of ['127.0.0.1:8080', '[::1]:8080', 'localhost:8080']) {
      expect(readConfiguration({ ...near, OPENAI_BASE_URL: `http://${host}/v1` })).toMatchObject({
        interviewer: { baseUrl: `http://${host}/v1`, apiKey: null },
      });
    }
  });

  it('may want their version in the query of their address', () => {
    const OPENAI_BASE_URL = 'https://models.example.org/deep/?version=1';
    expect(readConfiguration({ TRANSCRIBER: 'openai', OPENAI_API_KEY: KEY, OPENAI_BASE_URL })).toMatchObject({
      transcriber: { baseUrl: OPENAI_BASE_URL },
    });
  });
});
