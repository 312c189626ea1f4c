package dev.peregrine.bench.compare.report;

import java.util.Locale;

/** The format of numbers and names. */
final class Text {
  private static final double MICROS_PER_MILLI = 1000;

  private Text() {}

  static String whole(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  /** Formats a latency in a suitable unit; a dash if it is not known. */
  static String micros(double micros) {
    if (Double.isNaN(micros)) {
      return "–";
    }
    if (micros < MICROS_PER_MILLI) {
      return String.format(Locale.ROOT, micros < 10 ? "%.1f µs" : "%.0f µs", micros);
    }
    double millis = micros / MICROS_PER_MILLI;
    return String.format(Locale.ROOT, millis < 10 ? "%.1f ms" : "%.0f ms", millis);
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }
}
