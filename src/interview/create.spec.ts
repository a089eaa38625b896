import { describe, expect, it } from '@jest/globals';
import { silentLog } from '../engine/log.js';
import { createInterviewer } from './create.js';
import { ScriptedInterviewer } from './interviewer/moves.js';
import { OpenAiInterviewer } from './interviewer/openai.js';

describe('the interviewer in use', () => {
  it('is the one that is chosen', () => {
    expect(createInterviewer({ kind: 'scripted' }, silentLog)).toBeInstanceOf(ScriptedInterviewer);
    const model = { kind: 'openai', baseUrl: 'https://api.example/v1', apiKey: 'sk-1', model: 'm' } as const;
    expect(createInterviewer(model, silentLog)).toBeInstanceOf(OpenAiInterviewer);
    expect(() => createInterviewer({ ...model, baseUrl: 'nowhere' }, silentLog)).toThrow('OPENAI_BASE_URL');
  });
});
