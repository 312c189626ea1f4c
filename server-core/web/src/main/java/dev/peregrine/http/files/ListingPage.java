package dev.peregrine.http.files;

import dev.peregrine.base.PercentCoding;
import dev.peregrine.http.files.tree.FileStatus;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/** The page of a listed directory: HTML with a style, without script. */
final class ListingPage {
  private static final String STYLE =
      """
      :root{color-scheme:light dark;--line:#e3e6ea;--dim:#5b6570;--link:#0b57c2;--dir:#c78a1b;\
      --page:#fff;--text:#16191d}@media(prefers-color-scheme:dark){:root{--line:#2b3138;\
      --dim:#98a3af;--link:#7db4ff;--dir:#e0ad4e;--page:#12151a;--text:#e6e9ed}}
      body{margin:0 auto;max-width:64rem;padding:1.5rem 1rem 3rem;background:var(--page);\
      color:var(--text);font:16px/1.5 system-ui,sans-serif}
      h1{font-size:1.25rem;font-weight:600;overflow-wrap:anywhere}
      p,th{color:var(--dim);font-size:.875rem}table{width:100%;border-collapse:collapse}
      a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}
      th a{color:inherit}th,td{padding:.4rem .6rem;border-bottom:1px solid var(--line);\
      text-align:left;overflow-wrap:anywhere}
      th+th,td+td{text-align:right;white-space:nowrap;color:var(--dim);\
      font-variant-numeric:tabular-nums}
      svg{width:1.1em;height:1.1em;margin-right:.5em;vertical-align:-.15em;fill:var(--dim)}
      .d svg{fill:var(--dir)}svg[hidden]{position:absolute;width:0;height:0}
      @media(max-width:36rem){th:nth-child(3),td:nth-child(3){display:none}}
      """;

  /** Nothing is loaded, and only this style applies. */
  static final String POLICY =
      "default-src 'none'; style-src 'sha256-"
          + digest()
          + "'; base-uri 'none'; form-action 'none'";

  private static final String ICONS =
      """
      <svg hidden><symbol id="d" viewBox="0 0 16 16"><path d="M1 3h5l2 2h7v9H1z"/></symbol>\
      <symbol id="f" viewBox="0 0 16 16"><path d="M3 1h6l4 4v10H3zm6 1v3h3z"/></symbol></svg>
      """;

  private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  private static final int UNIT = 1024;
  private static final int SHORT_MAX = 10;

  private final StringBuilder page = new StringBuilder();

  private ListingPage() {}

  /** Returns the page with some entries in that order, or all if they are complete. */
  static String of(
      RequestPath asked, List<FileStatus> entries, boolean complete, ListingOrder order) {
    ListingPage listing = new ListingPage();
    listing.appendTop(asked);
    listing.appendHeadings(order);
    for (FileStatus entry : entries) {
      listing.append(entry);
    }
    listing.appendSummary(entries, complete);
    return listing.page.toString();
  }

  private void appendTop(RequestPath asked) {
    List<String> names = asked.names();
    String title = names.isEmpty() ? "/" : "/" + asked.joined("/");
    page.append("<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n");
    page.append("<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    appendText(title);
    page.append("</title>\n<style>").append(STYLE).append("</style>\n");
    page.append(ICONS).append("<h1>");
    for (int i = 0; i < names.size(); i++) {
      page.append("<a class=\"up\" href=\"").append("../".repeat(names.size() - i)).append("\">");
      appendText(i == 0 ? "/" : names.get(i - 1));
      page.append(i == 0 ? "</a> " : "</a> / ");
    }
    appendText(names.isEmpty() ? "/" : names.getLast() + " /");
    page.append("</h1>\n");
  }

  private void appendHeadings(ListingOrder order) {
    page.append("<table>\n<thead><tr>");
    for (ListingOrder.Key key : ListingOrder.Key.values()) {
      appendHeading(key, order);
    }
    page.append("</tr></thead>\n<tbody>\n");
  }

  private void appendHeading(ListingOrder.Key key, ListingOrder order) {
    boolean isKey = key == order.key();
    page.append("<th");
    if (isKey) {
      page.append(" aria-sort=").append(order.isDescending() ? "descending" : "ascending");
    }
    page.append("><a class=\"sort\" href=\"").append(order.queryFor(key).replace("&", "&amp;"));
    page.append("\">").append(key.heading).append(isKey ? order.isDescending() ? " ↓" : " ↑" : "");
    page.append("</a></th>");
  }

  private void append(FileStatus entry) {
    boolean isFile = entry.isRegular();
    String slash = isFile ? "" : "/";
    StringBuilder link = new StringBuilder("./");
    PercentCoding.encodeSegment(entry.name(), link);
    page.append("<tr class=\"").append(isFile ? 'f' : 'd');
    page.append("\"><td><svg aria-hidden=\"true\"><use href=\"#").append(isFile ? 'f' : 'd');
    page.append("\"/></svg><a href=\"");
    appendText(link.append(slash).toString());
    page.append("\">");
    appendText(entry.name() + slash);
    page.append("</a></td><td>");
    if (isFile) {
      long bytes = entry.state().size();
      page.append("<data value=\"").append(bytes).append("\">");
      page.append(size(bytes)).append("</data>");
    }
    String changed = Instant.ofEpochSecond(entry.state().modifiedSecond()).toString();
    page.append("</td><td><time datetime=\"").append(changed).append("\">");
    page.append(changed.replaceFirst(":\\d+Z$", "").replace('T', ' '))
        .append("</time></td></tr>\n");
  }

  private void appendSummary(List<FileStatus> entries, boolean complete) {
    List<FileStatus> files = entries.stream().filter(FileStatus::isRegular).toList();
    long bytes = files.stream().mapToLong(each -> each.state().size()).sum();
    page.append("</tbody>\n</table>\n<p>");
    int directories = entries.size() - files.size();
    page.append(directories).append(directories == 1 ? " directory, " : " directories, ");
    page.append(files.size()).append(files.size() == 1 ? " file, " : " files, ");
    page.append(size(bytes));
    if (!complete) {
      page.append(". There are more: this page has ").append(entries.size()).append(" of them.");
    }
    page.append("</p>\n</html>\n");
  }

  /** Returns a number of bytes with two or more digits, and a unit. */
  static String size(long bytes) {
    if (bytes < UNIT) {
      return bytes + " B";
    }
    double value = bytes;
    int unit = -1;
    while (value >= UNIT - 0.5 && unit < UNITS.length - 1) { // 1023.5 would be rounded to 1024
      value /= UNIT;
      unit++;
    }
    return (value < SHORT_MAX - 0.05
            ? String.format(Locale.ROOT, "%.1f", value)
            : Long.toString(Math.round(value)))
        + " "
        + UNITS[unit];
  }

  private void appendText(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> page.append("&amp;");
        case '<' -> page.append("&lt;");
        case '>' -> page.append("&gt;");
        case '"' -> page.append("&quot;");
        case '\'' -> page.append("&#39;");
        default -> page.append(c);
      }
    }
  }

  private static String digest() {
    try {
      byte[] style = STYLE.getBytes(StandardCharsets.UTF_8);
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(style));
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
