import { accept, type Decision, refuse, staleVersion } from '../../core/decider.js';
import type { OrganisationState } from './decider.js';
import { type Logo, organisationEvent, type OrganisationEvent } from './events.js';

/** What a logo may have: bytes, and pixels on each side. */
export const LOGO_LIMITS = { bytes: 200 * 1024, side: 1_024 } as const;

export interface ChangeLogo {
  /** `null`: none any more. */
  readonly logo: Logo | null;
  /** The version named by If-Match; `null`: any. */
  readonly expectedVersion: number | null;
}

/** Sets or removes an organisation's logo. The same picture again changes nothing: the logo keeps its id. */
export const changeLogo = (
  state: OrganisationState,
  { logo, expectedVersion }: ChangeLogo,
): Decision<OrganisationEvent> => {
  if (state === null) return refuse('not_found', 'There is no such organisation.');
  const stale = staleVersion(expectedVersion, state.version);
  if (stale) return stale;
  if (state.logo?.sha256 === logo?.sha256) return accept();
  const { organisationId } = state;
  return accept(organisationEvent('organisation.logo_changed', { organisationId, logo }));
};

/** The size in which a logo fits into a box, in whole pixels: never larger than it is. */
export const fitted = (
  { width, height }: Pick<Logo, 'width' | 'height'>,
  box: { readonly width: number; readonly height: number },
): Pick<Logo, 'width' | 'height'> => {
  const scale = Math.min(1, box.width / width, box.height / height);
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  return { width: scaled(width), height: scaled(height) };
};
