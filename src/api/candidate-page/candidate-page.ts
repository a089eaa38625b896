import { Controller, Get, Headers, Inject, Module, Param } from '@nestjs/common';
import { Public } from '../../http/access/access.decorator.js';
import { Answer, ok } from '../../http/answer.js';
import { Operation } from '../../http/openapi/operation.js';
import { html, htmlDocument } from '../../http/page.js';
import { NO_SCRIPT, UNLOADED } from '../../http/unloaded.js';
import { assetOf, shellOf, type SigningInPage } from './files.js';

export interface CandidatePageSettings extends SigningInPage {
  readonly signIn: CandidateSignIn;
}

/** Where candidates sign in: at an OpenID provider, by authorization code and PKCE. */
export interface CandidateSignIn {
  readonly issuer: string;
  /** A public client of the provider. */
  readonly clientId: string;
  /** A public client that may sign in by a device code (RFC 8628), for the program `assay-work`. */
  readonly deviceClientId: string;
  readonly redirectUri: string;
  /** By a code that the service mails to them, or as the organisation's provider asks. */
  readonly signIn: 'email' | 'oidc';
  /** The languages of the sign-in pages and of the page on which candidates work. */
  readonly languages: readonly string[];
}

/** Injection token of `CandidatePageSettings`. */
export const CANDIDATE_PAGE = Symbol('CandidatePage');

const MICROPHONE_ALONE = 'microphone=(self), camera=(), geolocation=(), display-capture=(), payment=()';

/** The page on which candidates work: the same document for every application. Its script loads the data. */
@Controller('apply')
export class CandidatePageController {
  private readonly html: string;

  constructor(@Inject(CANDIDATE_PAGE) private readonly page: CandidatePageSettings) {
    const { script, style, worklet, icon, shared } = page.names;
    this.html = htmlDocument(
      'Assay',
      html`<link rel="icon" type="image/svg+xml" href="./assets/${icon}">
<link rel="stylesheet" href="./assets/${style}">
${shared.map((name) => html`<link rel="modulepreload" href="./assets/${name}">`)}
<script type="module" src="./assets/${script}"></script>`,
      html`<div id="app" data-worklet="./assets/${worklet}">${UNLOADED}</div>
${NO_SCRIPT}`,
    );
  }

  /** Where and how to sign in: the page reads it first. */
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
    return this.shell(true);
  }

  @Get('assets/:name')
  @Public()
  @Operation(false)
  asset(@Param('name') name: string, @Headers('accept-encoding') accepted = ''): Answer {
    return assetOf(this.page, name, accepted);
  }

  /** The same for every id, whether or not there is such an application. */
  @Get(':applicationId')
  @Public()
  @Operation(false)
  apply(): Promise<Answer> {
    return this.shell(false);
  }

  private shell(isFramed: boolean): Promise<Answer> {
    return shellOf(this.page, this.html, isFramed, {
      headers: { 'Permissions-Policy': MICROPHONE_ALONE },
    });
  }
}

@Module({ controllers: [CandidatePageController] })
export class CandidatePageModule {}
