export const ID_TOKEN_SECONDS = 3600;
/** How long after a code was entered the browser gets further tokens without another, unless it is closed before. */
export const SESSION_SECONDS = 8 * 3600;
/** Records of sessions that ended, by their uid. */
export const ENDED_SESSION = 'ended session';
