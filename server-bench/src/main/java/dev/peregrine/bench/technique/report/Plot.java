package dev.peregrine.bench.technique.report;

import java.util.List;

/**
 * The measurements of one group, as bars: a panel for each input, each with its own scale, and a
 * line from the fastest fork to the slowest. A bar that is far longer than ours is cut off, so that
 * the others can be told apart; its figure says its length.
 */
final class Plot {
  private static final int WIDTH = 760;
  private static final int NAMES = 190; // start of the bars
  private static final int FIGURES = 150; // room after the bars
  private static final int ROW = 24;
  private static final int BAR = 16;
  private static final int TITLE = 34;
  private static final int GAP = 8;
  private static final int DESCENT = 4; // half the height of letters
  private static final int BARS = WIDTH - NAMES - FIGURES;
  private static final int RATIO_MAX = 8; // of the longest bar that isn't cut off
  private static final int CUT_AT = BARS * 9 / 10;
  private static final int CUT = 6; // width of the gap in a bar
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
  private final StringBuilder svg = new StringBuilder();
  private int y;

  private Plot(Group group) {
    this.group = group;
  }

  static String of(Group group, List<Measured> all) {
    return new Plot(group).draw(all);
  }

  private String draw(List<Measured> all) {
    for (String ours : group.ours()) {
      List<Measured> compared = group.comparedWith(ours, all);
      for (String input : Measured.inputs(compared)) {
        List<Measured> bars = compared.stream().filter(one -> one.input().equals(input)).toList();
        panel(input, bars, Measured.find(bars, ours, input));
      }
    }
    String panels = svg.toString();
    svg.setLength(0);
    int height = y + ROW / 2;
    svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\"");
    attributes("width", WIDTH, "height", height, "viewBox", "0 0 " + WIDTH + " " + height);
    return svg.append(">\n").append(STYLE).append(panels).append("</svg>\n").toString();
  }

  private void panel(String input, List<Measured> bars, Measured ours) {
    y += TITLE;
    text(NAMES, y - BAR / 2, "input", input.isEmpty() ? group.title() : input);
    double longest = 0;
    for (Measured bar : bars) {
      longest = Math.max(longest, Math.min(RATIO_MAX * ours.nanos(), bar.most()));
    }
    for (Measured bar : bars) {
      bar(bar, ours, BARS / longest);
    }
  }

  private void bar(Measured one, Measured ours, double scale) {
    int middle = y + BAR / 2;
    int baseline = middle + DESCENT;
    int length = (int) Math.ceil(one.nanos() * scale);
    text(NAMES - GAP, baseline, "name", Measured.words(one.form()));
    if (length <= BARS) {
      rectangle(one.equals(ours) ? "ours" : "other", NAMES, length);
      int least = NAMES + (int) (one.least() * scale);
      int most = NAMES + (int) Math.min(one.most() * scale, BARS);
      svg.append("<line");
      attributes("class", "range", "x1", least, "y1", middle, "x2", most, "y2", middle)
          .append("/>\n");
    } else {
      rectangle("other", NAMES, CUT_AT);
      rectangle("other", NAMES + CUT_AT + CUT, BARS - CUT_AT - CUT);
    }
    String figure = Measured.time(one.nanos());
    if (!one.equals(ours)) {
      figure += " (" + Measured.threeDigits(one.ratio(ours)) + " ×)";
    }
    text(NAMES + BARS + GAP, baseline, "figure", figure);
    y += ROW;
  }

  private void rectangle(String kind, int x, int width) {
    svg.append("<rect");
    attributes("class", kind, "x", x, "y", y, "width", width, "height", BAR).append("/>\n");
  }

  private void text(int x, int baseline, String kind, String text) {
    svg.append("<text");
    attributes("class", kind, "x", x, "y", baseline).append('>').append(text).append("</text>\n");
  }

  /** Names and values in turn. */
  private StringBuilder attributes(Object... pairs) {
    for (int i = 0; i < pairs.length; i += 2) {
      svg.append(' ').append(pairs[i]).append("=\"").append(pairs[i + 1]).append('"');
    }
    return svg;
  }
}
