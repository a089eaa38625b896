/** The zone, or UTC if this runtime does not know it: a page or mail must not fail because of it. */
const knownZone = (name: string): string => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name;
  } catch {
    return 'UTC';
  }
};

/** Formats a moment (ISO 8601) in a time zone (IANA), such as "1 June 2026 at 14:00 CEST (12:00 UTC)". */
export type Times = (instant: string, timeZone: string) => string;

/**
 * How mails and server-rendered pages of a language show moments in an organisation's time zone. UTC follows if it
 * differs, since an abbreviation may mean several zones.
 * @param dateStyle of the date; the time has hours and minutes
 */
export const timesIn = (locale: string, dateStyle: 'full' | 'long'): Times => {
  const made = new Map<string, Formats>();
  const formatsOf = (zone: string): Formats => {
    const formats = made.get(zone) ?? formatsIn(locale, dateStyle, knownZone(zone));
    made.set(zone, formats);
    return formats;
  };
  return (instant, timeZone) => {
    const at = new Date(instant);
    const [there, utc] = [formatsOf(timeZone), formatsOf('UTC')];
    const words = there.whole.format(at);
    const named = `${words} ${partOf(there.zone, at, 'timeZoneName')}`;
    if (words === utc.whole.format(at)) return named;
    const isSameDay = there.day.format(at) === utc.day.format(at);
    return `${named} (${(isSameDay ? utc.hour : utc.weekday).format(at)} UTC)`;
  };
};

const formatsIn = (locale: string, dateStyle: 'full' | 'long', timeZone: string) => {
  const hour = { hour: '2-digit', minute: '2-digit', timeZone } as const;
  return {
    whole: new Intl.DateTimeFormat(locale, { dateStyle, timeStyle: 'short', timeZone }),
    zone: new Intl.DateTimeFormat(locale, { timeZoneName: 'short', timeZone }),
    day: new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeZone }),
    hour: new Intl.DateTimeFormat(locale, hour),
    weekday: new Intl.DateTimeFormat(locale, { ...hour, weekday: 'long' }),
  };
};
type Formats = ReturnType<typeof formatsIn>;

const partOf = (format: Intl.DateTimeFormat, at: Date, type: Intl.DateTimeFormatPartTypes): string =>
  format.formatToParts(at).find((part) => part.type === type)?.value ?? '';
