import { describe, expect, it } from '@jest/globals';
import { runnable } from './wrapped-tests.js';

describe('the command of a test run', () => {
  const path = '/opt/npm/bin/npm-cli.js';

  it('is run by itself, with no shell that reads it', () => {
    expect(runnable(['npm', 'test', '&& rm -rf /'], 'linux', path)).toEqual(['npm', 'test', '&& rm -rf /']);
    expect(runnable(['pytest', '%PATH%'], 'win32', path)).toEqual(['pytest', '%PATH%']);
  });

  it('is run by Node where npm is a script of a shell', () => {
    for (const name of ['npm', 'NPM.cmd', 'npx', 'npx.cmd']) {
      const [file, script, ...args] = runnable([name, 'test', 'a b'], 'win32', path);
      expect([file, args]).toEqual([process.execPath, ['test', 'a b']]);
      expect(script).toMatch(name.toLowerCase().startsWith('npm') ? /npm-cli\.js$/ : /npx-cli\.js$/);
    }
  });
});
