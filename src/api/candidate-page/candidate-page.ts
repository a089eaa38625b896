import { Controller, Get, Headers, Inject, Module, Param } from '@nestjs/common';
import { LANGUAGES, PAGE_TEXTS } from '../../languages/languages.js';
import { Public } from '../../http/access/access.decorator.js';
import { Answer, ok } from '../../http/answer.js';
import { notFound } from '../../http/api-error.js';
import { escapeHtml, htmlDocument, pagePolicy } from '../../http/page.js';
import { Operation } from '../../http/openapi/operation.js';
import type { PageFiles } from './files.js';

export interface CandidatePageSettings extends PageFiles {
  readonly signIn: CandidateSignIn;
  /** Where the browser signs in: what the page may connect to and frame, beside itself. */
  readonly signInOrigins: () => Promise<readonly string[]>;
}

/** Where candidates sign in: at an OpenID provider, by authorization code and PKCE. */
export interface CandidateSignIn {
  readonly issuer: string;
  /** A public client of the provider. */
  readonly clientId: string;
  readonly redirectUri: string;
  /** By a code that the service mails to them, or as the organisation's provider asks. */
  readonly signIn: 'email' | 'oidc';
  /** Of the provider's pages and of the candidate's. */
  readonly languages: readonly string[];
}

/** Injection token of `CandidatePageSettings`. */
export const CANDIDATE_PAGE = Symbol('CandidatePage');

const MICROPHONE_ALONE = 'microphone=(self), camera=(), geolocation=(), display-capture=(), payment=()';
/** A name has the hash of its content, so that what a browser has under it never changes. */
const FOR_GOOD = 'public, max-age=31536000, immutable';

/** What is seen, a while later, if the script does not load or the browser cannot read it. */
const UNLOADED = LANGUAGES.map((language) => {
  const { text, again } = PAGE_TEXTS[language].unloaded;
  return `<p class="unloaded" lang="${language}">${escapeHtml(text)} <a href="">${escapeHtml(again)}</a></p>`;
}).join('');

/** The page on which candidates work: one shell for every application, which finds out by itself whose it is. */
@Controller('apply')
export class CandidatePageController {
  private readonly html: string;

  constructor(@Inject(CANDIDATE_PAGE) private readonly page: CandidatePageSettings) {
    const { script, style, worklet, icon } = page.names;
    this.html = htmlDocument(
      'Assay',
      `<link rel="icon" type="image/svg+xml" href="./assets/${icon}">
<link rel="stylesheet" href="./assets/${style}">
<script type="module" src="./assets/${script}"></script>`,
      `<div id="app" data-worklet="./assets/${worklet}">${UNLOADED}</div>
<noscript><p>This page needs JavaScript. Allow it for this site, or open the link in another browser.</p></noscript>`,
    );
  }

  /** What the page reads before a candidate signs in. */
  @Get('config.json')
  @Public()
  @Operation(false)
  configuration(): Answer {
    return ok(this.page.signIn);
  }

  /** Where a sign-in returns to, also in a frame of the page itself, which renews it. */
  @Get('callback')
  @Public()
  @Operation(false)
  callback(): Promise<Answer> {
    return this.shell("'self'", { 'X-Frame-Options': 'SAMEORIGIN' });
  }

  @Get('assets/:name')
  @Public()
  @Operation(false)
  asset(@Param('name') name: string, @Headers('accept-encoding') accepted = ''): Answer {
    const file = this.page.files.get(name);
    if (!file) throw notFound();
    const gzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|\s|$))/.test(accepted);
    return new Answer(200, gzip ? file.gzip : file.plain, {
      headers: {
        'Content-Type': file.type,
        'Cache-Control': FOR_GOOD,
        Vary: 'Accept-Encoding',
        ...(gzip && { 'Content-Encoding': 'gzip' }),
      },
    });
  }

  /** The same for every id, whether or not there is such an application. */
  @Get(':applicationId')
  @Public()
  @Operation(false)
  apply(): Promise<Answer> {
    return this.shell("'none'");
  }

  private async shell(
    frameAncestors: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const { signInOrigins, signIn } = this.page;
    const own = new URL(signIn.redirectUri).origin;
    const origins = ["'self'", ...(await signInOrigins()).filter((origin) => origin !== own)].join(' ');
    return new Answer(200, this.html, {
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': pagePolicy({
          'script-src': "'self'",
          'style-src': "'self'",
          'img-src': "'self'",
          'connect-src': origins,
          'frame-src': origins,
          'frame-ancestors': frameAncestors,
        }),
        'Permissions-Policy': MICROPHONE_ALONE,
        ...headers,
      },
    });
  }
}

@Module({ controllers: [CandidatePageController] })
export class CandidatePageModule {}
