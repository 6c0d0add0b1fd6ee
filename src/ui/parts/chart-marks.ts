import { besideLines, placeLabels } from "./marker-labels.ts";

/** Dash patterns of markers' lines, in px. */
export const DASHES = { dotted: [1.5, 2], solid: [], dashed: [5, 3] };

const FONT_PX = 11;
const LABEL_LINE_PX = 14;
const DOT_PX = 2.5;
const DOT_TO_NAME_PX = 7;
/** Least distance in px between the baselines of two lines' names. */
const NAMES_APART_PX = 14;

export interface Inks {
  readonly ink: string;
  readonly quiet: string;
  readonly surface: string;
  readonly font: string;
}

interface Named {
  readonly name: string;
  readonly value: string;
}

/**
 * A count to paint above a bar. The bar is between `from` and `to` on the x axis, and `top` is the y of its top, in px.
 */
export interface BarCount {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly top: number;
}

export interface MarkerLine extends Named {
  readonly x: number;
  readonly dash: keyof typeof DASHES;
}

/** The last point of a line. */
export interface LineEnd extends Named {
  readonly x: number;
  readonly y: number;
  readonly color: string;
}

/**
 * Paints the counts if none of them is wider than its bar. Then paints each marker as a line over the whole height,
 * with its label ("p95 312").
 */
export function paintBarMarks(
  context: CanvasRenderingContext2D,
  size: { readonly width: number; readonly height: number },
  counts: readonly BarCount[],
  markers: readonly MarkerLine[],
  inks: Inks,
): void {
  const lines = markers.map(({ x }) => Math.min(Math.max(Math.round(x), 1), Math.floor(size.width) - 1));
  context.font = `${FONT_PX}px ${inks.font}`;
  context.fillStyle = inks.quiet;
  const hasRoom = counts.every(({ text, from, to }) => context.measureText(text).width <= to - from);
  for (const { text, from, to, top } of hasRoom ? counts : []) {
    const width = context.measureText(text).width;
    context.fillText(text, besideLines((from + to) / 2, width, lines, from, to) - width / 2, top - 6);
  }
  for (const [index, { dash }] of markers.entries()) {
    const x = (lines[index] ?? 0) + 0.5;
    context.strokeStyle = inks.ink;
    context.lineWidth = 1;
    context.setLineDash(DASHES[dash]);
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x, size.height);
    context.stroke();
  }
  context.setLineDash([]);
  const labels = markers.map((marker, index) => ({ x: lines[index] ?? 0, width: namedWidth(context, marker, inks) }));
  for (const [index, { left, line }] of placeLabels(labels, size.width).entries()) {
    const [marker, label] = [markers[index], labels[index]];
    if (marker === undefined || label === undefined) continue;
    // Keeps the label readable where it crosses another marker's line.
    context.fillStyle = inks.surface;
    context.fillRect(left - 1, line * LABEL_LINE_PX, label.width + 2, LABEL_LINE_PX);
    paintNamed(context, marker, left, FONT_PX + line * LABEL_LINE_PX, inks);
  }
}

/** Paints a dashed line from the left edge to `width`. Its label is above the line, or below if there is no room. */
export function paintLevel(
  context: CanvasRenderingContext2D,
  { width, y, text }: { readonly width: number; readonly y: number; readonly text: string },
  inks: Inks,
): void {
  const line = Math.round(y) + 0.5;
  context.strokeStyle = inks.quiet;
  context.lineWidth = 1;
  context.setLineDash([4, 3]);
  context.beginPath();
  context.moveTo(0, line);
  context.lineTo(width, line);
  context.stroke();
  context.setLineDash([]);
  context.font = `${FONT_PX}px ${inks.font}`;
  context.fillStyle = inks.quiet;
  context.fillText(text, 4, line < FONT_PX + 6 ? line + FONT_PX + 2 : line - 4);
}

/**
 * Clears the area to the right of the lines, then paints a dot and a name at the end of each line. Names do not
 * overlap.
 */
export function paintLineEnds(
  context: CanvasRenderingContext2D,
  size: { readonly width: number; readonly height: number },
  ends: readonly LineEnd[],
  inks: Inks,
): void {
  const right = Math.max(...ends.map(({ x }) => x));
  context.fillStyle = inks.surface;
  context.fillRect(right + 1, 0, size.width - right, size.height);
  const fromAbove = [...ends].sort((a, b) => a.y - b.y);
  const baselines = baselinesFor(
    fromAbove.map(({ y }) => y),
    size.height,
  );
  for (const [index, end] of fromAbove.entries()) {
    context.fillStyle = end.color;
    context.beginPath();
    context.arc(end.x, end.y, DOT_PX, 0, 2 * Math.PI);
    context.fill();
    paintNamed(context, end, end.x + DOT_TO_NAME_PX, baselines[index] ?? end.y, inks);
  }
}

/**
 * Baselines of the lines' names, in px from the top. `heights`: the ends of the lines, from the top. Each name is as
 * close to its line's end as possible, without overlaps and within the chart.
 */
export function baselinesFor(heights: readonly number[], height: number): readonly number[] {
  const baselines: number[] = [];
  for (const y of heights) {
    baselines.push(Math.max(y + FONT_PX / 3, (baselines.at(-1) ?? Number.NEGATIVE_INFINITY) + NAMES_APART_PX, FONT_PX));
  }
  let lowest = height - 2;
  return baselines
    .reverse()
    .map((baseline) => {
      const kept = Math.min(baseline, lowest);
      lowest = kept - NAMES_APART_PX;
      return kept;
    })
    .reverse();
}

function namedWidth(context: CanvasRenderingContext2D, { name, value }: Named, inks: Inks): number {
  return paintNamed(context, { name, value }, 0, 0, inks, false);
}

/** Paints "p95 **312**" and returns its width. If not `visible`, only measures it. */
function paintNamed(
  context: CanvasRenderingContext2D,
  { name, value }: Named,
  left: number,
  baseline: number,
  inks: Inks,
  visible = true,
): number {
  context.font = `${FONT_PX}px ${inks.font}`;
  const width = context.measureText(`${name} `).width;
  context.fillStyle = inks.quiet;
  if (visible) context.fillText(name, left, baseline);
  context.font = `500 ${FONT_PX}px ${inks.font}`;
  context.fillStyle = inks.ink;
  if (visible) context.fillText(value, left + width, baseline);
  return width + context.measureText(value).width;
}
