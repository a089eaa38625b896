import { Controller, Get, Inject, Param } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Public } from '../../http/access/access.decorator.js';
import { Answer, ok } from '../../http/answer.js';
import { notFound } from '../../http/api-error.js';
import { Operation } from '../../http/openapi/operation.js';
import { pagePolicy } from '../../http/page.js';
import { PAGE, SCRIPT, STYLE } from './page.js';

export interface DocsSettings {
  /** Path below the service's own address that gives ID tokens for any e-mail; `null` without the development issuer. */
  readonly tokenFor: string | null;
}

/** Injection token of `DocsSettings`. */
export const DOCS_SETTINGS = Symbol('DocsSettings');

/** The interface library writes style attributes; everything else on the page is a file of this server. */
const POLICY = pagePolicy({
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data:",
  'font-src': "'self' data:",
  'connect-src': "'self'",
});

const CSS = 'text/css; charset=utf-8';
const JAVASCRIPT = 'text/javascript; charset=utf-8';

/** Files of the interface library, by the names they have here. */
const LIBRARY: Readonly<Record<string, readonly [file: string, type: string]>> = {
  'swagger-ui.css': ['swagger-ui.css', CSS],
  'swagger-ui-bundle.js': ['swagger-ui-bundle.js', JAVASCRIPT],
  'favicon.png': ['favicon-32x32.png', 'image/png'],
};

const file = (body: Buffer | string, type: string): Answer =>
  new Answer(200, body, {
    headers: { 'Content-Type': type, 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-cache' },
  });

@Controller('docs')
export class DocsController {
  private readonly library = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  private readonly read = new Map<string, Promise<Buffer>>();

  constructor(@Inject(DOCS_SETTINGS) private readonly settings: DocsSettings) {}

  @Get()
  @Public()
  @Operation(false)
  page(): Answer {
    return file(PAGE, 'text/html; charset=utf-8');
  }

  @Get(':file')
  @Public()
  @Operation(false)
  async asset(@Param('file') name: string): Promise<Answer> {
    if (name === 'docs.css') return file(STYLE, CSS);
    if (name === 'docs.js') return file(SCRIPT, JAVASCRIPT);
    if (name === 'settings.json') return ok(this.settings);
    const known = Object.hasOwn(LIBRARY, name) ? LIBRARY[name] : undefined;
    if (!known) throw notFound();
    const [path, type] = known;
    let bytes = this.read.get(path);
    if (!bytes) this.read.set(path, (bytes = readFile(join(this.library, path))));
    return file(await bytes, type);
  }
}
