import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { allMetrics } from './all-metrics.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = readdirSync(join(root, 'docs/production')).map((name) =>
  readFileSync(join(root, 'docs/production', name), 'utf8'),
);
const page = pages.join('\n');
const blocks = [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language, text = '']) => ({
  language,
  text,
}));
const inline = pages.flatMap((text) =>
  [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code),
);

describe('the pages for production', () => {
  it('name no figure of /metrics that is not there', () => {
    const known = new Set(
      allMetrics()
        .getMetricsAsArray()
        .map(({ name }) => name),
    );
    const named = [...page.matchAll(/\b(?:assay|http|nodejs|process)_[a-z0-9_]+/g)].map(([name]) =>
      name.replace(/_(bucket|count|sum)$/, ''),
    );
    expect(new Set(named).size).toBeGreaterThan(5);
    expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([]);
  });

  it('hold a configuration and a manifest that can be parsed', () => {
    const [manifest, scraping] = blocks
      .filter(({ language }) => language === 'yaml')
      .map(({ text }) => parse(text) as unknown);
    expect(scraping).toMatchObject({
      rule_files: ['alerts.yml'],
      scrape_configs: [
        { job_name: expect.stringMatching(/^assay/) },
        { job_name: expect.stringMatching(/^assay/) },
      ],
    });
    expect(manifest).toMatchObject({ spec: { containers: [{ name: 'api' }] } });
  });

  it('quote sentences as the service says them', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .join('\n');
    const quoted = inline.filter((text) => /^The .*…/.test(text));
    expect(quoted.length).toBeGreaterThan(4);
    for (const text of quoted) {
      const parts = text.split(/"?…"?/).map((part) => part.trim());
      expect([text, parts.every((part) => sources.includes(part))]).toEqual([text, true]);
    }
  });

  it('point to files and programs that exist', () => {
    const programs = page.match(/dist\/src\/\w+\.js/g) ?? [];
    const files = page.match(/docker-compose[\w.]*\.yml|\bops\/[\w.-]+\w/g) ?? [];
    for (const path of new Set([...programs, ...files])) {
      expect([path, existsSync(join(root, path))]).toEqual([path, true]);
    }
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('docs/production/README.md');
  });
});
