import { describe, expect, it } from '@jest/globals';
import { Writable } from 'node:stream';
import { continueUnread } from './output.js';

describe('what is written', () => {
  const fail = (code: string) => (): void => {
    const stream = new Writable();
    continueUnread(stream);
    stream.emit('error', Object.assign(new Error(code), { code }));
  };

  it.each(['EPIPE', 'EIO'])('may be read by nobody any more (%s)', (code) => {
    expect(fail(code)).not.toThrow();
  });

  it('is not lost in silence for any other reason', () => {
    expect(fail('ENOSPC')).toThrow('ENOSPC');
  });
});
