import { useEffect, useRef, useState } from 'preact/hooks';
import { usePlace } from '../console.js';
import { Failure, Wait } from '../parts/load.js';
import { clockOf, type Spoken } from './evidence.js';
import { useTexts } from './texts.js';

/** A recording may have many megabytes, and the network may be slow. */
const DOWNLOAD_MS = 180_000;

/** Plays a spoken line from its moment, if its audio is kept and the reader may hear it. */
export const PlayLine = ({
  spoken,
  question,
  sessionId,
}: {
  readonly spoken: Spoken | null;
  /** Which of the planned questions the line belongs to; `null`: none. */
  readonly question: number | null;
  readonly sessionId: string;
}) => {
  const { client, orgId, may } = usePlace();
  const e = useTexts();
  const [state, setState] = useState<'quiet' | 'loading' | 'unplayable' | { readonly error: unknown }>(
    'quiet',
  );
  const [address, setAddress] = useState<string | null>(null);
  const leaving = useRef<AbortController | null>(null);
  const player = useRef<HTMLAudioElement>(null);
  useEffect(
    () => () => {
      leaving.current?.abort();
      if (address !== null) URL.revokeObjectURL(address);
    },
    [address],
  );
  if (spoken === null || !may('audio.hear')) return null;
  const { turn, startMs } = spoken;
  const load = (): void => {
    if (state === 'loading') return;
    const asked = new AbortController();
    leaving.current = asked;
    setState('loading');
    client
      .get('/organisations/{orgId}/trial-sessions/{trialSessionId}/audio/{turn}', {
        params: { orgId, trialSessionId: sessionId, turn },
        timeoutMs: DOWNLOAD_MS,
        signal: asked.signal,
      })
      .then((wav) => {
        if (asked.signal.aborted) return;
        setAddress(URL.createObjectURL(new Blob([wav as Uint8Array<ArrayBuffer>], { type: 'audio/wav' })));
        setState('quiet');
      })
      .catch((error: unknown) => {
        if (!asked.signal.aborted) setState({ error });
      });
  };
  const begin = (): void => {
    const audio = player.current;
    if (audio === null) return;
    audio.currentTime = startMs / 1000;
    // A browser may refuse to play before the user clicks: then the user presses play.
    void audio.play().catch(() => undefined);
  };
  return (
    <div class="play">
      {address === null ? (
        <button class="button quiet small" type="button" onClick={load} aria-disabled={state === 'loading'}>
          {startMs === 0 ? e.transcript.play : e.transcript.playFrom(clockOf(startMs))}
        </button>
      ) : (
        <audio
          ref={player}
          controls
          src={address}
          aria-label={e.transcript.recording(question)}
          onLoadedMetadata={begin}
          onError={() => setState('unplayable')}
        />
      )}
      {state === 'loading' && <Wait what={e.transcript.loading} />}
      {state === 'unplayable' && <p class="note">{e.transcript.unplayable}</p>}
      {typeof state === 'object' && <Failure error={state.error} retry={load} />}
    </div>
  );
};
