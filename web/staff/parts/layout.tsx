import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { deadline } from '../../shared/clock.js';
import { type Console, usePlace } from '../console.js';

/** A page: its heading, which gets the focus when the page is opened, its commands, and its content. */
export const Page = ({
  title,
  above,
  actions,
  children,
}: {
  readonly title: string;
  /** The link to the list that has the page's record. */
  readonly above?: { readonly label: string; readonly page: string };
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) => {
  const { membership, to } = usePlace();
  const heading = useRef<HTMLHeadingElement>(null);
  // The title is set before the heading gets the focus, since a screen reader then reads out both.
  useLayoutEffect(() => {
    document.title = `${title} · ${membership.organisationName}`;
  }, [title]);
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <>
      <header class="page-head">
        <div>
          {above && (
            <a class="above" href={to(above.page)}>
              {above.label}
            </a>
          )}
          <h1 tabIndex={-1} ref={heading}>
            {title}
          </h1>
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </>
  );
};

/** Replaces an empty list: why it is empty, and what to do. */
export const Empty = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) => (
  <section class="empty">
    <h2>{title}</h2>
    {children}
  </section>
);

/** A state in one or two words. Its tone has no meaning that the words lack. */
export const Badge = ({
  tone = '',
  children,
}: {
  readonly tone?: '' | 'good' | 'bad' | 'warn';
  readonly children: ComponentChildren;
}) => <span class={`badge ${tone}`}>{children}</span>;

/** A moment in the reader's language and time zone; the whole of it as a title. */
export const Moment = ({
  at,
  withTime = false,
}: {
  readonly at: string | null;
  readonly withTime?: boolean;
}) => {
  const { language } = usePlace();
  if (at === null) return <span class="soft">–</span>;
  const date = new Date(at);
  const short = date.toLocaleString(language, {
    dateStyle: 'medium',
    ...(withTime && { timeStyle: 'short' }),
  });
  return (
    <time dateTime={at} title={date.toLocaleString(language, { dateStyle: 'full', timeStyle: 'long' })}>
      {short}
    </time>
  );
};

/**
 * A time limit in the organisation's zone, as mails and shared reports have it, and in the reader's zone if that differs.
 */
export const Deadline = ({ at }: { readonly at: string | null }) => {
  const { language, membership } = usePlace();
  if (at === null) return <span class="soft">–</span>;
  return <time dateTime={at}>{deadline(language, at, membership.timeZone)}</time>;
};

/** In development: a link to the mails that the service shows instead of sending them. */
export const NotSent = ({ console }: { readonly console: Console }) => {
  const { notSent, outbox } = console.t.value.signIn;
  const url = console.session.value?.config.outbox ?? null;
  return (
    url !== null && (
      <p class="soft small">
        {notSent}{' '}
        <a href={url} target="_blank" rel="noreferrer">
          {outbox}
        </a>
      </p>
    )
  );
};
