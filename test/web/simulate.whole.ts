import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Service, startService } from '../support/service.js';
import { describeInBrowser } from './scene.js';

const run = promisify(execFile);

describeInBrowser('a simulated round in browsers', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ env: { LOG_LEVEL: 'warn' } });
  });
  afterAll(() => service.stop());

  it('agrees with what the service counts, from the sign-in by a mailed code to the evaluation', async () => {
    const flags = ['--candidates', '1', '--web', '1', '--url', service.url];
    const { stdout } = await run(process.execPath, ['dist/bin/simulate.js', ...flags], {
      env: { DATA_DIR: service.dataDir, PATH: process.env['PATH'] },
    });
    expect(stdout).toContain('Browsers: 1 of 1');
    expect(stdout).toMatch(/1 candidates, 1 more in browsers, .* 1 interviews of \d+ questions/);
    expect(stdout).toMatch(/Everything agrees\.\n$/);
  });
});
