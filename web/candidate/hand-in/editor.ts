import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import {
  bracketMatching,
  HighlightStyle,
  indentUnit,
  StreamLanguage,
  syntaxHighlighting,
} from '@codemirror/language';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** An editor on the page. */
export interface OpenEditor {
  /** Replaces the text of the editor if it differs. */
  show(text: string): void;
  close(): void;
}

export interface EditorOptions {
  readonly label: string;
  /** A hint that screen readers read after the label; '': none. */
  readonly hint: string;
  readonly path: string;
  readonly isProse: boolean;
  readonly text: string;
  readonly changed: (text: string) => void;
}

/**
 * Opens an editor in an element. The editor is in a shadow root, where its styles are adopted stylesheets: the page's
 * policy forbids style elements. Escape, then Tab leaves it.
 */
export const openEditor = (place: HTMLElement, options: EditorOptions): OpenEditor => {
  const { label, hint, path, isProse, text, changed } = options;
  const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' });
  const language = new Compartment();
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const written = ({ doc }: EditorState): string => doc.sliceString(0, doc.length, lineEnd);
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(),
        keymap.of([...defaultKeymap, ...historyKeymap, ...(isProse ? [] : [indentWithTab])]),
        EditorView.contentAttributes.of({
          'aria-label': label,
          tabindex: '0',
          ...(hint !== '' && { 'aria-description': hint }),
          ...(isProse ? { spellcheck: 'true', autocorrect: 'on', autocapitalize: 'on' } : {}),
        }),
        isProse ? EditorView.lineWrapping : [lineNumbers(), bracketMatching()],
        EditorState.tabSize.of(4),
        indentUnit.of(indentOf(text)),
        syntaxHighlighting(COLOURS),
        language.of([]),
        isProse ? [THEME, PROSE] : [THEME, CODE],
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed(written(update.state));
        }),
      ],
    }),
  });
  void languageOf(path)
    .then((extension) => view.dispatch({ effects: language.reconfigure(extension) }))
    .catch(() => undefined);
  return {
    show: (shown) => {
      if (shown === written(view.state)) return;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: shown } });
    },
    close: () => view.destroy(),
  };
};

/** The indentation that a text uses: that of its first indented line, else two spaces. */
const indentOf = (text: string): string => /^(\t| {2,8})\S/m.exec(text)?.[1] ?? '  ';

const THEME = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--paper)', borderRadius: '0.5rem' },
  '&.cm-focused': { outline: '3px solid var(--accent)', outlineOffset: '2px' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '0.6rem 0' },
  '.cm-line': { padding: '0 0.75rem' },
  '.cm-scroller': { overflow: 'auto', lineHeight: '1.5' },
  '.cm-gutters': { color: 'var(--soft)', backgroundColor: 'var(--track)', border: 'none' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--track)',
    outline: '1px solid var(--edge)',
  },
});
const PROSE = EditorView.theme({
  '.cm-scroller': { fontFamily: 'inherit', maxHeight: '70vh' },
  '.cm-content': { minHeight: '14rem' },
});
const CODE = EditorView.theme({
  '.cm-scroller': {
    fontFamily: "ui-monospace, 'SF Mono', Menlo, Consolas, monospace",
    fontSize: '0.9rem',
    maxHeight: '70vh',
  },
  '.cm-content, .cm-gutter': { minHeight: '14rem' },
});

/** Highlighting in the page's own colours, which adapt to light and dark. */
const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.tagName], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--code-number)' },
  { tag: [tags.comment, tags.meta], color: 'var(--soft)', fontStyle: 'italic' },
  { tag: [tags.definition(tags.variableName), tags.function(tags.variableName)], color: 'var(--accent)' },
  { tag: [tags.typeName, tags.className, tags.propertyName, tags.attributeName], color: 'var(--code-name)' },
  { tag: tags.heading, fontWeight: 'bold' },
  { tag: tags.strong, fontWeight: 'bold' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.link, textDecoration: 'underline' },
]);

const javascript = () => import('@codemirror/legacy-modes/mode/javascript');
const clike = () => import('@codemirror/legacy-modes/mode/clike');
const css = () => import('@codemirror/legacy-modes/mode/css');

/** The language of a file by the ending of its name. It is loaded when the first such file is opened. */
const languageOf = async (path: string): Promise<Extension> => {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  const parser = await parserOf(ending);
  return parser === null ? [] : StreamLanguage.define(parser);
};

const parserOf = async (ending: string) => {
  switch (ending) {
    case 'js':
    case 'mjs':
    case 'cjs':
    case 'jsx':
      return (await javascript()).javascript;
    case 'ts':
    case 'mts':
    case 'cts':
    case 'tsx':
      return (await javascript()).typescript;
    case 'json':
      return (await javascript()).json;
    case 'py':
      return (await import('@codemirror/legacy-modes/mode/python')).python;
    case 'go':
      return (await import('@codemirror/legacy-modes/mode/go')).go;
    case 'rs':
      return (await import('@codemirror/legacy-modes/mode/rust')).rust;
    case 'rb':
      return (await import('@codemirror/legacy-modes/mode/ruby')).ruby;
    case 'java':
      return (await clike()).java;
    case 'kt':
    case 'kts':
      return (await clike()).kotlin;
    case 'cs':
      return (await clike()).csharp;
    case 'scala':
      return (await clike()).scala;
    case 'c':
    case 'h':
      return (await clike()).c;
    case 'cc':
    case 'cpp':
    case 'hpp':
      return (await clike()).cpp;
    case 'sh':
    case 'bash':
      return (await import('@codemirror/legacy-modes/mode/shell')).shell;
    case 'sql':
      return (await import('@codemirror/legacy-modes/mode/sql')).standardSQL;
    case 'yml':
    case 'yaml':
      return (await import('@codemirror/legacy-modes/mode/yaml')).yaml;
    case 'css':
      return (await css()).css;
    case 'scss':
      return (await css()).sCSS;
    case 'html':
      return (await import('@codemirror/legacy-modes/mode/xml')).html;
    case 'xml':
      return (await import('@codemirror/legacy-modes/mode/xml')).xml;
    default:
      return null;
  }
};
