import { Controller, Get, Headers, Inject, Module, Param } from '@nestjs/common';
import type { MemberRole } from '../../domain/organisation/events.js';
import { Public } from '../../http/access/access.decorator.js';
import { Answer, ok } from '../../http/answer.js';
import { ApiError, notFound } from '../../http/api-error.js';
import { Operation } from '../../http/openapi/operation.js';
import { html, htmlDocument } from '../../http/page.js';
import { prefersHtml, VARY_BY_ACCEPT } from '../../http/prefers-html.js';
import { NO_SCRIPT, UNLOADED } from '../../http/unloaded.js';
import { assetOf, shellOf, type SigningInPage } from '../candidate-page/files.js';

export interface ConsoleSettings extends SigningInPage {
  readonly signIn: StaffSignIn;
}

/** Where staff sign in: at the installation's OpenID provider, by authorization code and PKCE. */
export interface StaffSignIn {
  readonly issuer: string;
  /** A public client of the provider: `OIDC_AUDIENCE`. */
  readonly clientId: string;
  /** `{PUBLIC_URL}/console/callback`. */
  readonly redirectUri: string;
  /** The provider is the development issuer, which asks for no password. */
  readonly development: boolean;
  /** The people whom the console offers to sign in as: empty unless it is a development service. */
  readonly people: readonly DevelopmentPerson[];
  /** The page with the mails that are not sent; `null`: mails are sent. */
  readonly outbox: string | null;
}

/** A person of a development service, made by the program that starts it. */
export interface DevelopmentPerson {
  readonly name: string;
  readonly email: string;
  readonly role: MemberRole;
}

/** Injection token of `ConsoleSettings`. */
export const CONSOLE = Symbol('Console');

/** The page fetches recordings with its token, and plays them from its memory. */
const RECORDINGS = { 'media-src': 'blob:' };
/** The pages on which staff work: the same document for every path. Its script reads what to show to whom. */
@Controller()
export class ConsoleController {
  private readonly html: string;

  constructor(@Inject(CONSOLE) private readonly page: ConsoleSettings) {
    const { icon, staff } = page.names;
    // Absolute paths, since pages have any depth; with the prefix that a proxy in front removes.
    const base = new URL('.', page.signIn.redirectUri).pathname;
    this.html = htmlDocument(
      'Assay',
      html`<link rel="icon" type="image/svg+xml" href="${base}assets/${icon}">
<link rel="stylesheet" href="${base}assets/${staff.style}">
${staff.shared.map((name) => html`<link rel="modulepreload" href="${base}assets/${name}">`)}
<script type="module" src="${base}assets/${staff.script}"></script>`,
      html`<div id="app" data-base="${base}">${UNLOADED}</div>
${NO_SCRIPT}`,
    );
  }

  /** A browser gets the console; any other client gets 404, as for an unknown path. */
  @Get()
  @Public()
  @Operation(false)
  front(@Headers('accept') accept: string | undefined): Promise<Answer> {
    if (prefersHtml(accept)) return this.shell(false, VARY_BY_ACCEPT);
    const { code, message } = notFound();
    throw new ApiError(code, message, { headers: VARY_BY_ACCEPT });
  }

  /** Where and how to sign in: the page reads it first. */
  @Get('console/config.json')
  @Public()
  @Operation(false)
  configuration(): Answer {
    return ok(this.page.signIn);
  }

  /** Where a sign-in returns to, also in a frame of the page itself, which renews it. */
  @Get('console/callback')
  @Public()
  @Operation(false)
  callback(): Promise<Answer> {
    return this.shell(true);
  }

  @Get('console/assets/:name')
  @Public()
  @Operation(false)
  asset(@Param('name') name: string, @Headers('accept-encoding') accepted = ''): Answer {
    return assetOf(this.page, name, accepted);
  }

  /** The same for every path, whether or not there is such a page. */
  @Get(['console', 'console/*'])
  @Public()
  @Operation(false)
  any(): Promise<Answer> {
    return this.shell(false);
  }

  private shell(isFramed: boolean, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return shellOf(this.page, this.html, isFramed, { headers, sources: RECORDINGS });
  }
}

@Module({ controllers: [ConsoleController] })
export class ConsoleModule {}
