import {
  type AutoscaleInfo,
  ColorType,
  createChart,
  createOptionsChart,
  HistogramSeries,
  type IChartApiBase,
  type IPrimitivePaneRenderer,
  type ISeriesApi,
  type ISeriesPrimitive,
  type LineData,
  LineSeries,
  type UTCTimestamp,
  type WhitespaceData,
} from "lightweight-charts";
import { onThemeChange, tokenColour } from "../theme/colour.ts";
import { type DASHES, type Inks, paintBarMarks, paintLevel, paintLineEnds } from "./chart-marks.ts";
import { goesOn, rangeAcross } from "./line-points.ts";
import { type Gap, type Moment, overOneAxis } from "./time-gaps.ts";

/** Bars of equal width with vertical markers. */
export interface BarChartData {
  readonly bars: readonly { readonly value: number; readonly text: string; readonly slow: boolean }[];
  readonly markers: readonly Marker[];
}

/** A vertical line; `at` is its distance from the left edge of the first bar, in bars. */
interface Marker {
  readonly name: string;
  readonly value: string;
  readonly at: number;
  readonly dash: keyof typeof DASHES;
}

/** Two lines over time, each named at its end. `strong` is drawn thicker than `quiet`. `points` ascend in time. */
export interface LineChartData {
  readonly strong: NamedLine;
  readonly quiet: NamedLine;
  /** The baseline of `strong`, "baseline p95 251"; `null`: unknown. */
  readonly baseline: { readonly value: number; readonly text: string } | null;
}

interface NamedLine {
  readonly name: string;
  readonly value: string;
  readonly points: readonly Moment[];
}

/** A mounted chart. Its size and its colours follow the container and the theme until it is destroyed. */
export interface Chart<Data> {
  show(data: Data): void;
  destroy(): void;
}

/**
 * Share of the height that stays free above the tallest bar. The markers' labels and the bar's count are drawn there.
 */
const HEADROOM = 0.38;
const AXIS_PX = 10.5;

const HIDDEN = { visible: false };
const BARE = { priceLineVisible: false, lastValueVisible: false };
/**
 * Options of a chart that the user can neither scroll nor zoom. The library's attribution is shown in Settings instead.
 */
const STILL = {
  autoSize: true,
  layout: { attributionLogo: false },
  handleScroll: false,
  handleScale: false,
  rightPriceScale: HIDDEN,
  crosshair: { vertLine: { ...HIDDEN, labelVisible: false }, horzLine: { ...HIDDEN, labelVisible: false } },
};

/** Bars at equal distances with counts above them and vertical markers. */
export function barChart(container: HTMLElement): Chart<BarChartData> {
  const chart = createOptionsChart(container, {
    ...STILL,
    grid: { vertLines: HIDDEN, horzLines: HIDDEN },
    timeScale: { ...HIDDEN, maxBarSpacing: 10_000 },
  });
  const series = chart.addSeries(HistogramSeries, BARE);
  series.priceScale().applyOptions({ scaleMargins: { top: HEADROOM, bottom: 0 } });
  let data: BarChartData = { bars: [], markers: [] };
  let inks = inksNow(container);
  series.attachPrimitive(
    painted((context, size) => {
      const last = chart.timeScale().timeToCoordinate(data.bars.length - 1);
      if (last === null) return;
      const { barSpacing } = chart.timeScale().options();
      const edge = (at: number): number => last + (at + 0.5 - data.bars.length) * barSpacing;
      const counts = data.bars.flatMap(({ value, text }, index) => {
        const top = value === 0 ? null : series.priceToCoordinate(value);
        return top === null ? [] : [{ text, from: edge(index), to: edge(index + 1), top }];
      });
      const markers = data.markers.map((marker) => ({ ...marker, x: edge(marker.at) }));
      paintBarMarks(context, size, counts, markers, inks);
    }),
  );
  const fit = (): void => chart.timeScale().fitContent();
  return mounted(chart, container, fit, (next: BarChartData) => {
    data = next;
    inks = inksNow(container);
    const [bar, slow] = [tokenColour("--color-bar"), tokenColour("--color-bar-slow")];
    // A point without a value draws nothing; a 0 would draw a line at the bottom.
    series.setData(
      data.bars.map(({ value, slow: isSlow }, time) =>
        value === 0 ? { time } : { time, value, color: isSlow ? slow : bar },
      ),
    );
  });
}

/** Formatters for the labels of a line chart's axes, and the space beside its lines. */
export interface AxisTexts {
  value(value: number): string;
  /** Pixels to the right of the last point, for the names and values of the lines. */
  readonly room: number;
  /** The label for an instant (epoch ms) on an axis that spans `span` ms. */
  moment(at: number, span: number): string;
}

/** Two lines on a scale that starts at 0. */
export function lineChart(container: HTMLElement, texts: AxisTexts): Chart<LineChartData> {
  let [begin, span] = [0, 0];
  let data: LineChartData | null = null;
  const chart = createChart(container, {
    ...STILL,
    leftPriceScale: {
      visible: true,
      borderVisible: false,
      // Leaves out a label at the top that would be cut off.
      entireTextOnly: true,
      scaleMargins: { top: 0.08, bottom: 0.06 },
    },
    timeScale: {
      borderVisible: false,
      allowBoldLabels: false,
      maxBarSpacing: 10_000,
      // A single point is drawn as a horizontal line that ends at the point. The line's beginning is no sample and gets
      // no label.
      tickMarkFormatter: (time: UTCTimestamp) => (time * 1000 < begin ? "" : texts.moment(time * 1000, span)),
    },
    localization: { priceFormatter: texts.value },
  });
  const options = {
    ...BARE,
    priceScaleId: "left",
    autoscaleInfoProvider: (scaled: () => AutoscaleInfo | null) => fromZero(scaled, data?.baseline?.value ?? 0),
  };
  const quiet = chart.addSeries(LineSeries, { ...options, lineWidth: 1 });
  const strong = chart.addSeries(LineSeries, { ...options, lineWidth: 2 });
  let inks = inksNow(container);
  strong.attachPrimitive(
    painted((context, size) => {
      const ends = [
        { line: data?.strong, series: strong },
        { line: data?.quiet, series: quiet },
      ].flatMap(({ line, series }) => {
        const last = line?.points.at(-1);
        if (line === undefined || last === undefined) return [];
        const x = chart.timeScale().timeToCoordinate(timeOf(last));
        const y = series.priceToCoordinate(last.value);
        return x === null || y === null ? [] : [{ ...line, x, y, color: series.options().color }];
      });
      const level = data?.baseline ?? null;
      const y = level === null ? null : strong.priceToCoordinate(level.value);
      if (level !== null && y !== null)
        paintLevel(context, { width: ends[0]?.x ?? size.width, y, text: level.text }, inks);
      if (ends.length > 0) paintLineEnds(context, size, ends, inks);
    }),
  );
  let [count, width] = [0, 0];
  const fit = (): void => {
    const range = rangeAcross(count, width, texts.room);
    if (range !== null) chart.timeScale().setVisibleLogicalRange(range);
  };
  // This event also comes when the price labels change their width; `width()` still returns the old width then.
  chart.timeScale().subscribeSizeChange((now) => {
    width = now;
    fit();
  });
  return mounted(chart, container, fit, (next: LineChartData) => {
    data = next;
    inks = inksNow(container);
    const lines = [data.strong.points, data.quiet.points];
    const moments = lines.flat().map(({ at }) => at);
    begin = Math.min(...moments);
    span = Math.max(...moments) - begin;
    chart.applyOptions({ grid: { vertLines: HIDDEN, horzLines: { color: tokenColour("--color-grid") } } });
    strong.applyOptions({ color: tokenColour("--color-trace") });
    quiet.applyOptions({ color: tokenColour("--color-trace-2") });
    const [strongLine = [], quietLine = []] = overOneAxis(lines);
    count = strongLine.length;
    put(strong, strongLine);
    put(quiet, quietLine);
  });
}

/** Makes a `Chart`. It is drawn again when the theme changes, and fits its data again when its size changes. */
function mounted<Time, Data>(
  chart: IChartApiBase<Time>,
  container: HTMLElement,
  fit: () => void,
  draw: (data: Data) => void,
): Chart<Data> {
  let shown: Data | null = null;
  const show = (data: Data): void => {
    shown = data;
    const [color, textColor] = [tokenColour("--color-surface"), tokenColour("--color-ink-2")];
    const { fontFamily } = getComputedStyle(container);
    const background = { type: ColorType.Solid, color } as const;
    chart.applyOptions({ layout: { background, textColor, fontFamily, fontSize: AXIS_PX } });
    draw(data);
    fit();
  };
  const resized = new ResizeObserver(fit);
  resized.observe(container);
  const unwatch = onThemeChange(() => {
    if (shown !== null) show(shown);
  });
  return {
    show,
    destroy() {
      resized.disconnect();
      unwatch();
      chart.remove();
    },
  };
}

/** A series primitive that paints over its series; its units are CSS pixels. */
function painted<Time>(
  paint: (context: CanvasRenderingContext2D, size: { readonly width: number; readonly height: number }) => void,
): ISeriesPrimitive<Time> {
  const renderer: IPrimitivePaneRenderer = {
    draw: (target) => target.useMediaCoordinateSpace(({ context, mediaSize }) => paint(context, mediaSize)),
  };
  const views = [{ renderer: () => renderer }];
  return { paneViews: () => views };
}

/** Sets the points of a line. If the line only grew, updates its last point and appends the new ones. */
function put(series: ISeriesApi<"Line">, line: readonly (Moment | Gap)[]): void {
  const next: (LineData | WhitespaceData)[] = line.map((point) => ({ ...point, time: timeOf(point) }));
  const held = series.data();
  if (!goesOn(held, next)) series.setData(next);
  else for (const point of next.slice(held.length - 1)) series.update(point);
}

function fromZero(scaled: () => AutoscaleInfo | null, least: number): AutoscaleInfo | null {
  const maxValue = scaled()?.priceRange?.maxValue;
  return maxValue === undefined ? null : { priceRange: { minValue: 0, maxValue: Math.max(maxValue, least) } };
}

function timeOf({ at }: { readonly at: number }): UTCTimestamp {
  return (at / 1000) as UTCTimestamp;
}

function inksNow(container: HTMLElement): Inks {
  return {
    ink: tokenColour("--color-ink"),
    quiet: tokenColour("--color-ink-2"),
    surface: tokenColour("--color-surface"),
    font: getComputedStyle(container).fontFamily,
  };
}
