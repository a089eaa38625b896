/** The zone, or UTC where it is not known: a page or mail must not fail for it. */
const knownZone = (name: string): string => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name;
  } catch {
    return 'UTC';
  }
};

/** A moment in words in a time zone, with the zone's name. */
export type Times = (instant: string, timeZone: string) => string;

/**
 * How a language tells moments in an organisation's time zone: the one way of mails and of pages that a server renders.
 * Unless the zone has UTC's time, that stands beside it, since an abbreviation may mean several zones.
 * @param dateStyle of the date; the time has hours and minutes
 */
export const timesIn = (locale: string, dateStyle: 'full' | 'long'): Times => {
  const known = new Map<string, Formats>();
  const formatsOf = (zone: string): Formats => {
    const formats = known.get(zone) ?? formatsIn(locale, dateStyle, knownZone(zone));
    known.set(zone, formats);
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
