import { Inject, Injectable } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { buffer } from 'node:stream/consumers';
import { validate as isUuid } from 'uuid';
import { isRefused } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { PersonErased, type PersonId } from '../../core/vault/port.js';
import { organisation, type OrganisationState } from '../../domain/organisation/decider.js';
import type { Logo } from '../../domain/organisation/events.js';
import { changeLogo } from '../../domain/organisation/logo.js';
import type { FileOf, Vault } from '../../vault/port.js';
import { VAULT } from '../tokens.js';
import { UseCase } from '../use-case.js';
import { writeAnew } from './logo-image.js';

const BEGINNING = 'logo-';

/** A logo is sealed under a key of its own, which is destroyed with it: no backup can bring it back. */
const fileOf = (organisationId: string, logoId: string): FileOf => ({
  person: logoId as PersonId,
  fileId: `${BEGINNING}${organisationId}`,
});

/** The organisation whose logo a file is; `null`: it is no logo. */
export const organisationOfLogo = ({ fileId }: FileOf): string | null =>
  fileId.startsWith(BEGINNING) ? fileId.slice(BEGINNING.length) : null;

/** Where a logo is served, below the service's address. */
export const logoPath = (organisationId: string, { id }: Pick<Logo, 'id'>): string =>
  `/logos/${organisationId}/${id}`;

/** The pictures of organisations. */
@Injectable()
export class Logos {
  constructor(@Inject(VAULT) private readonly vault: Pick<Vault, 'keys' | 'files'>) {}

  /**
   * A logo's picture, as PNG or JPEG; `null`: there is none by that id (any more). The ids may be any texts.
   * @throws {VaultUnavailable | BrokenSeal}
   */
  async read(organisationId: string, logoId: string): Promise<Buffer | null> {
    if (!isUuid(organisationId) || !isUuid(logoId)) return null;
    const of = fileOf(organisationId, logoId);
    if ((await this.vault.files.size(of)) === 0) return null;
    try {
      return await buffer(this.vault.files.read(of));
    } catch (error) {
      if (error instanceof PersonErased) return null;
      throw error;
    }
  }

  /**
   * Stores a logo's picture, before the event that names the logo. If the id has a picture already, that one stays.
   * @throws {VaultUnavailable}
   */
  async keep(organisationId: string, logoId: string, bytes: Buffer): Promise<void> {
    const of = fileOf(organisationId, logoId);
    await this.vault.keys.create(of.person);
    await this.vault.files.append(of, 0, bytes);
  }

  /** Destroys a logo for good, if there is one. @throws {VaultUnavailable} */
  async destroy(logoId: string): Promise<void> {
    await this.vault.keys.erase(logoId as PersonId);
  }
}

/** Sets an organisation's logo from the bytes of a picture, or removes it (`null`). */
export class ChangeLogo extends UseCase<
  OrganisationState,
  { readonly organisationId: string; readonly picture: Buffer | null }
> {
  readonly name = 'ChangeLogo';
}

@CommandHandler(ChangeLogo)
export class ChangeLogoHandler implements ICommandHandler<ChangeLogo> {
  constructor(
    private readonly streams: CommandStreams,
    private readonly logos: Logos,
  ) {}

  async execute({ context, input }: ChangeLogo): Promise<Handled<OrganisationState>> {
    const { organisationId, picture } = input;
    const { expectedVersion } = context;
    const image = picture && (await writeAnew(picture));
    if (image && isRefused(image)) return image;
    const id = context.newId('logo');
    let logo: Logo | null = null;
    if (image) {
      const { bytes, ...written } = image;
      logo = { id, ...written };
      // Before the event, so that a logo can be read once the organisation has it.
      await this.logos.keep(organisationId, id, bytes);
    }
    const former = { id: null as string | null };
    const handled = await this.streams.handle(organisation, organisationId, context, (before) => {
      former.id = before?.logo?.id ?? null;
      return changeLogo(before, { logo, expectedVersion });
    });
    const current = handled.kind === 'done' ? handled.state?.logo?.id : former.id;
    for (const one of [former.id, logo?.id]) if (one && one !== current) await this.logos.destroy(one);
    return handled;
  }
}
