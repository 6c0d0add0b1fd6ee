export const STAMP: string;
export const NODE: string;
export function isStale(): boolean;
