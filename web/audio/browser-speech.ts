/** Speech by the browser itself: it reads texts aloud and, in some browsers, recognises speech. */

const synthesis = (): SpeechSynthesis | null => ('speechSynthesis' in globalThis ? speechSynthesis : null);

export const canSpeak = (): boolean => synthesis() !== null;

/**
 * Reads a text aloud, in place of what is being read.
 * @param ended also if the browser refuses
 */
export const speak = (text: string, language: string, ended: () => void = () => undefined): void => {
  const voice = synthesis();
  if (voice === null) {
    ended();
    return;
  }
  voice.cancel();
  const utterance = new SpeechSynthesisUtterance(text);
  utterance.lang = language;
  utterance.onend = ended;
  utterance.onerror = ended;
  voice.speak(utterance);
};

export const stopSpeaking = (): void => synthesis()?.cancel();

// The DOM's library has no types of it.
interface Recognition {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  onresult: ((event: RecognitionEvent) => void) | null;
  onerror: ((event: { readonly error: string }) => void) | null;
  onend: (() => void) | null;
  start(): void;
  stop(): void;
  abort(): void;
}
interface RecognitionEvent {
  readonly resultIndex: number;
  readonly results: ArrayLike<ArrayLike<{ readonly transcript: string }> & { readonly isFinal: boolean }>;
}

const recogniser = (): (new () => Recognition) | null => {
  const known = globalThis as unknown as Record<'SpeechRecognition' | 'webkitSpeechRecognition', unknown>;
  return (
    ((known.SpeechRecognition ?? known.webkitSpeechRecognition) as (new () => Recognition) | undefined) ??
    null
  );
};

export const canRecognise = (): boolean => recogniser() !== null;

export interface Recognising {
  stop(): void;
}

/** Recognises speech until it is stopped or the browser ends it. */
export const recognise = (
  language: string,
  on: {
    readonly partial: (text: string) => void;
    readonly final: (text: string) => void;
    /** @param error the browser's name of it; `null`: it was stopped */
    readonly ended: (error: string | null) => void;
  },
): Recognising | null => {
  const Recogniser = recogniser();
  if (Recogniser === null) return null;
  const recognition = new Recogniser();
  let failed: string | null = null;
  recognition.lang = language;
  recognition.continuous = true;
  recognition.interimResults = true;
  recognition.onresult = ({ resultIndex, results }) => {
    let partial = '';
    for (let at = resultIndex; at < results.length; at += 1) {
      const result = results[at];
      const text = result?.[0]?.transcript ?? '';
      if (result?.isFinal) on.final(text.trim());
      else partial += text;
    }
    on.partial(partial);
  };
  recognition.onerror = ({ error }) => (failed = error);
  recognition.onend = () => on.ended(failed);
  recognition.start();
  return { stop: () => recognition.stop() };
};
