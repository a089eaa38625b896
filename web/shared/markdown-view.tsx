import { type ComponentChildren, Fragment } from 'preact';
import { type Block, type Inline, parseMarkdown } from './markdown.js';

/** The address if a link may lead to it; `null`: a script, or a user's name before the host that imitates another host. */
export const safeUrl = (url: string): string | null => {
  try {
    const { protocol, href, username, password } = new URL(url);
    return ['https:', 'http:', 'mailto:'].includes(protocol) && username + password === '' ? href : null;
  } catch {
    return null;
  }
};

/** A link to another site, in a tab of its own: this page must stay. */
export const ExternalLink = ({
  url,
  children,
}: {
  readonly url: string;
  readonly children: ComponentChildren;
}) => {
  const href = safeUrl(url);
  return href === null ? (
    <>{children}</>
  ) : (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
};

const inside = (all: readonly Inline[]): ComponentChildren =>
  all.map((one, at) => <Fragment key={at}>{inline(one)}</Fragment>);

const inline = (one: Inline): ComponentChildren => {
  switch (one.type) {
    case 'text':
      return one.text;
    case 'code':
      return <code>{one.text}</code>;
    case 'break':
      return <br />;
    case 'strong':
      return <strong>{inside(one.inner)}</strong>;
    case 'emphasis':
      return <em>{inside(one.inner)}</em>;
    case 'link':
      return <ExternalLink url={one.url}>{inside(one.inner)}</ExternalLink>;
  }
};

const within = (all: readonly Block[]): ComponentChildren =>
  all.map((one, at) => <Fragment key={at}>{block(one)}</Fragment>);

const block = (one: Block): ComponentChildren => {
  switch (one.type) {
    case 'heading': {
      // A text has no `h1` and `h2`: these are the page's own.
      if (one.level <= 1) return <h3>{inside(one.inner)}</h3>;
      return one.level === 2 ? <h4>{inside(one.inner)}</h4> : <h5>{inside(one.inner)}</h5>;
    }
    case 'paragraph':
      return <p>{inside(one.inner)}</p>;
    case 'quote':
      return <blockquote>{within(one.inner)}</blockquote>;
    case 'code':
      // Can be focused, so that the keyboard scrolls it.
      return (
        <pre tabIndex={0}>
          <code>{one.text}</code>
        </pre>
      );
    case 'table':
      return (
        <div class="table" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {one.head.map((cell, at) => (
                  <th key={at} scope="col">
                    {inside(cell)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {one.rows.map((row, at) => (
                <tr key={at}>
                  {row.map((cell, column) => (
                    <td key={column}>{inside(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case 'rule':
      return <hr />;
    case 'list': {
      const items = one.items.map((item, at) => <li key={at}>{item.map(tight)}</li>);
      return one.start === null ? <ul>{items}</ul> : <ol start={one.start}>{items}</ol>;
    }
  }
};

/** An entry's only paragraph needs no space around it. */
const tight = (one: Block, at: number, all: readonly Block[]): ComponentChildren => (
  <Fragment key={at}>
    {one.type === 'paragraph' && all.filter(({ type }) => type === 'paragraph').length === 1
      ? inside(one.inner)
      : block(one)}
  </Fragment>
);

/** Markdown as elements: no HTML is ever made of a text. */
export const Markdown = ({ text }: { readonly text: string }) => (
  <div class="markdown">{within(parseMarkdown(text))}</div>
);
