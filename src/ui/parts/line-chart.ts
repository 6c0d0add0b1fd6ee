import {
  type AutoscaleInfo,
  ColorType,
  CrosshairMode,
  createChart,
  type IPriceLine,
  LineSeries,
  LineStyle,
  type UTCTimestamp,
} from "lightweight-charts";
import { onThemeChange, tokenColour } from "../theme/colour.ts";

/** Two lines over time, each named at its end. `strong` is drawn thicker than `quiet`. `points` ascend in time. */
export interface LineChartData {
  readonly strong: NamedLine;
  readonly quiet: NamedLine;
  /** The baseline of `strong`; `null`: unknown. */
  readonly baseline: { readonly value: number; readonly name: string } | null;
}

interface NamedLine {
  readonly name: string;
  readonly points: readonly Moment[];
}

/** A mounted chart. Its size and its colours follow the container and the theme until it is destroyed. */
export interface LineChart {
  show(data: LineChartData): void;
  destroy(): void;
}

/** Formatters of a chart's labels. */
export interface AxisTexts {
  value(value: number): string;
  /** The label for an instant (epoch ms) on an axis that spans `span` ms. */
  moment(at: number, span: number): string;
}

const AXIS_PX = 10.5;
/** Narrow enough for the most points of `overOneAxis` in the smallest panel. */
const LEAST_SPACING = 0.05;

/** Draws two lines on a scale that starts at 0. The user scrolls by dragging, and zooms with the wheel. */
export function lineChart(container: HTMLElement, texts: AxisTexts): LineChart {
  let shown: LineChartData | null = null;
  let span = 0;
  let count = 0;
  let baseline: IPriceLine | null = null;
  const moment = (time: unknown): string => texts.moment(Number(time) * 1000, span);
  const chart = createChart(container, {
    autoSize: true,
    layout: { attributionLogo: false }, // shown in Settings
    handleScroll: { mouseWheel: false },
    crosshair: { mode: CrosshairMode.Magnet },
    rightPriceScale: { borderVisible: false, entireTextOnly: true, scaleMargins: { top: 0.08, bottom: 0.06 } },
    timeScale: {
      borderVisible: false,
      allowBoldLabels: false,
      lockVisibleTimeRangeOnResize: true,
      fixLeftEdge: true,
      fixRightEdge: true,
      minBarSpacing: LEAST_SPACING,
      tickMarkFormatter: moment,
    },
    localization: { priceFormatter: texts.value, timeFormatter: moment },
  });
  const options = {
    priceLineVisible: false,
    autoscaleInfoProvider: (scaled: () => AutoscaleInfo | null) => fromZero(scaled, shown?.baseline?.value ?? 0),
  };
  const quiet = chart.addSeries(LineSeries, { ...options, lineWidth: 1 });
  const strong = chart.addSeries(LineSeries, { ...options, lineWidth: 2 });

  const paint = (): void => {
    const { fontFamily } = getComputedStyle(container);
    const background = { type: ColorType.Solid, color: tokenColour("--color-surface") } as const;
    const labelBackgroundColor = tokenColour("--color-ink-2");
    chart.applyOptions({
      layout: { background, textColor: tokenColour("--color-ink-2"), fontFamily, fontSize: AXIS_PX },
      crosshair: { vertLine: { labelBackgroundColor }, horzLine: { labelBackgroundColor } },
      grid: { vertLines: { visible: false }, horzLines: { color: tokenColour("--color-grid") } },
    });
    strong.applyOptions({ color: tokenColour("--color-trace") });
    quiet.applyOptions({ color: tokenColour("--color-trace-2") });
    baseline?.applyOptions({ color: tokenColour("--color-ink-2") });
  };
  const unwatch = onThemeChange(paint);
  return {
    show(data) {
      const range = chart.timeScale().getVisibleLogicalRange();
      const showsAll = range === null || (range.from <= 0.5 && range.to >= count - 1.5);
      shown = data;
      const lines = [data.strong.points, data.quiet.points];
      const moments = lines.flat().map(({ at }) => at);
      span = Math.max(...moments) - Math.min(...moments);
      const [strongLine = [], quietLine = []] = overOneAxis(lines);
      count = strongLine.length;
      strong.applyOptions({ title: data.strong.name });
      quiet.applyOptions({ title: data.quiet.name });
      strong.setData(strongLine.map((point) => ({ ...point, time: timeOf(point) })));
      quiet.setData(quietLine.map((point) => ({ ...point, time: timeOf(point) })));
      if (baseline !== null) strong.removePriceLine(baseline);
      baseline =
        data.baseline === null
          ? null
          : strong.createPriceLine({
              price: data.baseline.value,
              title: data.baseline.name,
              lineWidth: 1,
              lineStyle: LineStyle.Dashed,
            });
      paint();
      if (showsAll) chart.timeScale().fitContent();
    },
    destroy() {
      unwatch();
      chart.remove();
    },
  };
}

function fromZero(scaled: () => AutoscaleInfo | null, least: number): AutoscaleInfo | null {
  const maxValue = scaled()?.priceRange?.maxValue;
  return maxValue === undefined ? null : { priceRange: { minValue: 0, maxValue: Math.max(maxValue, least) } };
}

function timeOf({ at }: { readonly at: number }): UTCTimestamp {
  return (at / 1000) as UTCTimestamp;
}

/** A value at an instant, epoch ms. */
export interface Moment {
  readonly at: number;
  readonly value: number;
}

/** An instant without a value. It keeps the distance between its neighbours true to scale. */
export interface Gap {
  readonly at: number;
}

type Line = readonly Moment[];

/** If the filled axis would have more instants than this, gaps are not filled. Limit. */
const MOST = 2_000;

/**
 * Puts lines over one time axis. Adds a gap where a line lacks a value, and where an instant is missing, because a
 * chart spaces its points equally. The points must ascend.
 */
export function overOneAxis(lines: readonly Line[]): readonly (readonly (Moment | Gap)[])[] {
  const times = [...new Set(lines.flatMap((points) => points.map(({ at }) => at)))].sort((a, b) => a - b);
  const filled = withGaps(times);
  return lines.map((points) => {
    const pointAt = new Map(points.map((point) => [point.at, point]));
    return filled.map((at) => pointAt.get(at) ?? { at });
  });
}

/** Adds instants where neighbours are further apart than the shortest distance in `times`. */
function withGaps(times: readonly number[]): readonly number[] {
  let step = Number.POSITIVE_INFINITY;
  for (const [index, at] of times.entries()) step = Math.min(step, at - (times[index - 1] ?? Number.NEGATIVE_INFINITY));
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  if (times.length < 2 || span / step > MOST) return times;
  const filled: number[] = [];
  for (const at of times) {
    const before = filled.at(-1);
    const missing = before === undefined ? 0 : Math.round((at - before) / step) - 1;
    for (let index = 1; before !== undefined && index <= missing; index += 1) filled.push(before + index * step);
    filled.push(at);
  }
  return filled;
}
