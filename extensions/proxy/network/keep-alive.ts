/** Our choice, for clients: a phone that sleeps has three minutes to say that it is there. */
export const KEEP_ALIVE = Object.freeze({ enable: true, initialDelay: 60_000, interval: 30_000, count: 4 });
