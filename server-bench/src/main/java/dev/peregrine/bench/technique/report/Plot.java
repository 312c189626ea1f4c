package dev.peregrine.bench.technique.report;

import java.util.List;

/**
 * The measurements of one group, as bars: a panel for each input, each with its own scale, and a
 * line from the fastest iteration to the slowest.
 */
final class Plot {
  private static final int WIDTH = 760;
  private static final int NAMES = 190; // start of the bars
  private static final int FIGURES = 130; // room after the bars
  private static final int ROW = 24;
  private static final int BAR = 16;
  private static final int TITLE = 34;
  private static final int GAP = 8;
  private static final int DESCENT = 4; // half the height of letters
  private static final int RANGE_MAX = WIDTH - NAMES - 70; // where a range is cut off
  private static final String STYLE =
      """
      <style>
      text { font: 13px sans-serif; fill: #24292f; }
      .name { text-anchor: end; }
      .input { font-weight: bold; }
      .other { fill: #8c959f; }
      .ours { fill: #0969da; }
      .range { stroke: #24292f; stroke-width: 1.5; }
      @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; }
      .range { stroke: #e6edf3; }
      }
      </style>
      """;

  private final Group group;
  private final List<Measured> all;
  private final StringBuilder svg = new StringBuilder();
  private int y;

  private Plot(Group group, List<Measured> all) {
    this.group = group;
    this.all = all;
  }

  static String of(Group group, List<Measured> all) {
    return new Plot(group, all).draw();
  }

  private String draw() {
    List<String> inputs = Measured.inputs(all);
    int height = inputs.size() * TITLE + all.size() * ROW + ROW / 2;
    String box = "0 0 " + WIDTH + " " + height;
    svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\"");
    attributes("width", WIDTH, "height", height, "viewBox", box).append('\n').append(STYLE);
    inputs.forEach(this::panel);
    return svg.append("</svg>\n").toString();
  }

  private void panel(String input) {
    y += TITLE;
    text(NAMES, y - BAR / 2, "input", input.isEmpty() ? group.title() : input);
    List<Measured> bars = all.stream().filter(one -> one.input().equals(input)).toList();
    double longest = bars.stream().mapToDouble(Measured::nanos).max().orElse(1);
    bars.forEach(bar -> bar(bar, (WIDTH - NAMES - FIGURES) / longest));
  }

  private void bar(Measured one, double scale) {
    int middle = y + BAR / 2;
    int baseline = middle + DESCENT;
    String kind = group.isOurs(one.form()) ? "ours" : "other";
    int length = (int) Math.ceil(one.nanos() * scale);
    int least = NAMES + (int) (one.least() * scale);
    int most = NAMES + (int) Math.min(one.most() * scale, RANGE_MAX);
    text(NAMES - GAP, baseline, "name", Measured.words(one.form()));
    svg.append("<rect");
    attributes("class", kind, "x", NAMES, "y", y, "width", length, "height", BAR)
        .append("</rect>\n");
    svg.append("<line");
    attributes("class", "range", "x1", least, "y1", middle, "x2", most, "y2", middle)
        .append("</line>\n");
    text(Math.max(most, NAMES + length) + GAP, baseline, "figure", Measured.time(one.nanos()));
    y += ROW;
  }

  private void text(int x, int baseline, String kind, String text) {
    svg.append("<text");
    attributes("class", kind, "x", x, "y", baseline).append(text).append("</text>\n");
  }

  /** Names and values in turn; ends the tag. */
  private StringBuilder attributes(Object... pairs) {
    for (int i = 0; i < pairs.length; i += 2) {
      svg.append(' ').append(pairs[i]).append("=\"").append(pairs[i + 1]).append('"');
    }
    return svg.append('>');
  }
}
