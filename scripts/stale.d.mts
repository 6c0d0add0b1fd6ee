export const STAMP: string;
export function isStale(): boolean;
export function hasNode(): boolean;
export function linkNode(folder?: string): void;
