import { fileURLToPath } from "node:url";
import { SECURE_HOST } from "./authority.ts";
import { Child } from "./child.ts";
import { startNginx } from "./nginx.ts";
import type { Field, Table } from "./part.ts";
import type { Route, Target } from "./programs/job.ts";
import { SMALL_BODY } from "./programs/small-answer.ts";
import type { StreamJob, StreamOutcome } from "./programs/stream-job.ts";
import type { Subject } from "./subject.ts";
import { certificatesOf, startPeer } from "./subjects.ts";
import { type RunningWeir, startWeir } from "./weir.ts";

/** Seconds. */
const WARM_UP = 1.5;

const REFERENCE = { name: "node:http2", program: "http2-pass-through.mjs", cannot: [] };
const MOCKTTP = { name: "mockttp", program: "mockttp.mjs", words: ["http2"], cannot: [] };

/** What the HTTP/2 parts share: an HTTP/2 origin, and the subjects that forward requests to it. */
export interface Http2Stage {
  readonly origin: Child<{ readonly port: number }>;
  /** The host and port of the HTTP/2 origin. */
  readonly target: Target;
  /** A separate Weir with a host override for this origin. */
  readonly weir: RunningWeir;
  /** The proxy that passes HTTP/2 through, for comparison. */
  readonly reference: Subject;
  /** The route to the origin without a proxy. */
  readonly direct: Route;
  /** Starts mockttp with HTTP/2. If nginx is installed, also starts nginx in front of this origin. */
  startPeers(): Promise<readonly Subject[]>;
  /** Starts another Weir that offers HTTP/1.1 only. */
  startHttp1Weir(): Promise<RunningWeir>;
  ask(job: StreamJob): Promise<StreamOutcome>;
}

/** Starts everything, runs `act`, and stops everything, even after an error. */
export async function onHttp2Stage(field: Field, act: (stage: Http2Stage) => Promise<Table>): Promise<Table> {
  const { authority } = field.environment;
  const ends: (() => Promise<void>)[] = [];
  const ended = <Started extends { stop(): Promise<void> }>(started: Started): Started => {
    ends.push(() => started.stop());
    return started;
  };
  try {
    const origin = ended(
      await Child.start<{ readonly port: number }>([program("stream-origin"), authority.leaf, authority.key]),
    );
    const { port } = origin.ready;
    const environment = { ...field.environment, origin: { ...field.environment.origin, secure: port } };
    const own = (name: string): Promise<RunningWeir> => startWeir(environment, `${name}-${port}`).then(ended);
    const weir = await own("http2");
    const reference = ended(await startPeer({ ...REFERENCE, folder: `reference-${port}` }, environment));
    const load = ended(await Child.start([program("stream-load")]));
    const certificates = certificatesOf([...field.subjects, weir, reference], authority);
    for (const generator of [load, field.load]) await generator.ask({ do: "trust", certificates });
    const stage: Http2Stage = {
      origin,
      weir,
      reference,
      target: { secure: true, host: SECURE_HOST, port },
      direct: { kind: "server", port },
      startPeers: async () => {
        const mockttp = ended(await startPeer({ ...MOCKTTP, folder: `mockttp-${port}` }, environment));
        const nginx = await startNginx(environment, `nginx-${port}`);
        return nginx === null ? [mockttp] : [mockttp, ended(nginx)];
      },
      startHttp1Weir: async () => {
        const other = await own("http1");
        await other.page.command({ type: "set-setting", key: "http2", value: false });
        return other;
      },
      ask: (job) => load.ask(job),
    };
    for (const route of [weir.secure, reference.secure, stage.direct]) await warmUp(stage, route);
    return await act(stage);
  } finally {
    await Promise.all(ends.map((end) => end()));
  }
}

async function warmUp({ ask, target }: Http2Stage, route: Route): Promise<void> {
  await ask({ do: "open", route, target, connections: 1 });
  await ask({ do: "run", seconds: WARM_UP, streams: 16, size: SMALL_BODY.length });
  await ask({ do: "close" });
}

function program(name: string): string {
  return fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url));
}
