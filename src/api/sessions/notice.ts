import { createHash } from 'node:crypto';
import type { CommandStreams } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { type Invitation, type Language, languageOf } from '../../domain/candidate/events.js';
import { organisation, type Organisation } from '../../domain/organisation/decider.js';
import type { RoleNotice } from '../../domain/role/events.js';
import type { Providers } from '../../process/providers.js';

/** What takes part in an assessment, as the configuration has it. */
export type Participants = {
  readonly [Part in keyof Providers]: Pick<Providers[Part], 'kind'>;
};

/** What a default notice depends on. */
export interface Practice {
  readonly organisation: Pick<Organisation, 'name' | 'recordAudio' | 'retentionDays'>;
  readonly roleName: string;
  readonly participants: Participants;
}

/** What candidates are told before they consent: by their role, or generated from the configuration. */
export class Notices {
  constructor(
    private readonly streams: CommandStreams,
    private readonly participants: Participants,
  ) {}

  /** The notice that holds now for an invitation. */
  async of(invitation: Invitation): Promise<RoleNotice> {
    if (invitation.role.notice) return invitation.role.notice;
    const { organisationId, role } = invitation;
    const stream = streamName('organisation', organisationId);
    const { state } = await this.streams.read(organisation, stream);
    if (state === null) throw new Error('The organisation of an invitation has no stream.');
    const practice = { organisation: state, roleName: role.name, participants: this.participants };
    return defaultNotice(practice, languageOf(invitation));
  }
}

/** A notice whose version names its text: any change of the practice is another version. */
export const defaultNotice = (practice: Practice, language: Language): RoleNotice => {
  const text = TEXTS[language](practice);
  const digest = createHash('sha256').update(text).digest('hex');
  return { version: `default-${digest.slice(0, 12)}`, text };
};

/** Markdown. Names are quoted text: what would be markup in them is escaped. */
type Text = (practice: Practice) => string;

const plain = (name: string): string => name.replace(/\s+/gu, ' ').replace(/[\\`*_[\]<>#|~!&]/gu, '\\$&');

const paragraphs = (...parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null).join('\n\n');

const english: Text = ({ organisation: { name, recordAudio, retentionDays }, roleName, participants }) => {
  const who = plain(name);
  const { interviewer, scorer, transcriber, synthesiser, detector } = participants;
  return paragraphs(
    `**Who asks.** ${who} invites you to this assessment for the role “${plain(roleName)}” and decides what follows from it.`,
    `**What is recorded.** Your answers and messages as text, with their times; the tickets that you start and finish; and what is reported of your work, such as changed files, test runs and pasted text. ${
      recordAudio
        ? 'If you speak, your voice is recorded and kept too.'
        : 'If you speak, your words are kept as text; your voice is not kept.'
    } You may type instead at any time.`,
    `**Who interviews.** ${
      interviewer.kind === 'openai'
        ? 'An AI model asks the questions and may ask further ones about your answers.'
        : 'A program asks prepared questions. No AI chooses them.'
    } ${
      {
        browser: 'Your browser turns speech into text; some browsers send the sound to their maker for that.',
        command: 'A program of this service turns speech into text.',
        openai: 'An AI service turns speech into text.',
      }[transcriber.kind]
    }${synthesiser.kind === 'openai' ? ' An AI service speaks the questions.' : ''}`,
    `**Who scores.** ${
      scorer.kind === 'openai'
        ? 'An AI model scores what is recorded, and names the passages that each score rests on.'
        : 'A program scores what is recorded by fixed rules, without AI.'
    } The result is advice: people at ${who} decide.`,
    `**Signals of integrity.** Noted are long pauses before answers, large pastes, leaving the page or the full screen, changes of device, connection or network, and whether you signed in with the invited address. They are hints for people, never a verdict.${
      detector.kind === 'command' ? ' A program estimates whether texts were generated.' : ''
    }`,
    retentionDays === null
      ? `**How long it is kept.** Until ${who} erases it. You may ask for erasure at any time.`
      : `**How long it is kept.** It is erased after ${retentionDays} ${retentionDays === 1 ? 'day' : 'days'} without a further invitation, session or decision about you. You may ask for erasure earlier.`,
    `**A human instead.** If you would rather talk to a person, or need more time, typing only or captions, ask ${who} before you start.`,
  );
};

const german: Text = ({ organisation: { name, recordAudio, retentionDays }, roleName, participants }) => {
  const who = plain(name);
  const { interviewer, scorer, transcriber, synthesiser, detector } = participants;
  return paragraphs(
    `**Wer fragt.** ${who} lädt Sie zu dieser Prüfung für die Stelle „${plain(roleName)}“ ein und entscheidet, was daraus folgt.`,
    `**Was aufgezeichnet wird.** Ihre Antworten und Nachrichten als Text, mit ihren Zeiten; welche Aufgaben Sie beginnen und abschließen; und was von Ihrer Arbeit gemeldet wird, etwa geänderte Dateien, Testläufe und eingefügter Text. ${
      recordAudio
        ? 'Wenn Sie sprechen, wird auch Ihre Stimme aufgezeichnet und aufbewahrt.'
        : 'Wenn Sie sprechen, werden Ihre Worte als Text aufbewahrt, Ihre Stimme nicht.'
    } Sie können jederzeit stattdessen tippen.`,
    `**Wer das Gespräch führt.** ${
      interviewer.kind === 'openai'
        ? 'Ein KI-Modell stellt die Fragen und kann zu Ihren Antworten nachfragen.'
        : 'Ein Programm stellt vorbereitete Fragen. Keine KI wählt sie aus.'
    } ${
      {
        browser:
          'Ihr Browser wandelt Sprache in Text um; manche Browser senden den Ton dafür an ihren Hersteller.',
        command: 'Ein Programm dieses Dienstes wandelt Sprache in Text um.',
        openai: 'Ein KI-Dienst wandelt Sprache in Text um.',
      }[transcriber.kind]
    }${synthesiser.kind === 'openai' ? ' Ein KI-Dienst spricht die Fragen.' : ''}`,
    `**Wer bewertet.** ${
      scorer.kind === 'openai'
        ? 'Ein KI-Modell bewertet das Aufgezeichnete und nennt die Stellen, auf denen jede Bewertung beruht.'
        : 'Ein Programm bewertet das Aufgezeichnete nach festen Regeln, ohne KI.'
    } Das Ergebnis ist ein Rat: Es entscheiden Menschen bei ${who}.`,
    `**Hinweise zur Echtheit.** Vermerkt werden lange Pausen vor Antworten, große eingefügte Texte, das Verlassen der Seite oder des Vollbilds, ein Wechsel von Gerät, Verbindung oder Netz und ob Sie sich mit der eingeladenen Adresse angemeldet haben. Das sind Hinweise für Menschen, nie ein Urteil.${
      detector.kind === 'command' ? ' Ein Programm schätzt, ob Texte erzeugt wurden.' : ''
    }`,
    retentionDays === null
      ? `**Wie lange es aufbewahrt wird.** Bis ${who} es löscht. Sie können die Löschung jederzeit verlangen.`
      : `**Wie lange es aufbewahrt wird.** Es wird ${retentionDays === 1 ? 'einen Tag' : `${retentionDays} Tage`} nach der letzten Einladung, Sitzung oder Entscheidung über Sie gelöscht. Sie können die Löschung früher verlangen.`,
    `**Lieber ein Mensch.** Wenn Sie lieber mit einem Menschen sprechen oder mehr Zeit, nur Tippen oder Untertitel brauchen, fragen Sie ${who}, bevor Sie beginnen.`,
  );
};

const TEXTS: Readonly<Record<Language, Text>> = { en: english, de: german };
