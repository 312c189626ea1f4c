package dev.peregrine.http.files;

import dev.peregrine.http.ContentType;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Content types by the extension of a file's name. */
final class FileTypes {
  private static final String TEXT =
      """
      css text/css
      csv text/csv
      htm text/html
      html text/html
      ics text/calendar
      js text/javascript
      md text/markdown
      mjs text/javascript
      txt text/plain
      vtt text/vtt
      """;
  private static final String OTHER =
      """
      7z application/x-7z-compressed
      aac audio/aac
      atom application/atom+xml
      avif image/avif
      bmp image/bmp
      br application/x-brotli
      epub application/epub+zip
      flac audio/flac
      gif image/gif
      gz application/gzip
      ico image/vnd.microsoft.icon
      jar application/java-archive
      jpeg image/jpeg
      jpg image/jpeg
      json application/json
      jsonld application/ld+json
      m4a audio/mp4
      map application/json
      mp3 audio/mpeg
      mp4 video/mp4
      mpeg video/mpeg
      oga audio/ogg
      ogg audio/ogg
      ogv video/ogg
      opus audio/ogg
      otf font/otf
      pdf application/pdf
      png image/png
      rss application/rss+xml
      rtf application/rtf
      svg image/svg+xml
      tar application/x-tar
      tif image/tiff
      tiff image/tiff
      ttf font/ttf
      wasm application/wasm
      wav audio/wav
      webm video/webm
      webmanifest application/manifest+json
      webp image/webp
      woff font/woff
      woff2 font/woff2
      xhtml application/xhtml+xml
      xml application/xml
      zip application/zip
      zst application/zstd
      """;

  private final Map<String, ContentType> byExtension = new HashMap<>();

  /**
   * Creates the types known by themselves and some more.
   *
   * @param textCharset charset of text types; empty for none
   * @param more types by extension in lower case, which count first
   */
  FileTypes(String textCharset, Map<String, ContentType> more) {
    put(TEXT, textCharset.isEmpty() ? "" : "; charset=" + textCharset);
    put(OTHER, "");
    byExtension.putAll(more);
  }

  ContentType of(String fileName) {
    int dot = fileName.lastIndexOf('.');
    String extension = fileName.substring(dot + 1).toLowerCase(Locale.ROOT);
    return dot < 0
        ? ContentType.APPLICATION_OCTET_STREAM
        : byExtension.getOrDefault(extension, ContentType.APPLICATION_OCTET_STREAM);
  }

  private void put(String table, String parameters) {
    table
        .lines()
        .forEach(
            line -> {
              int space = line.indexOf(' ');
              byExtension.put(
                  line.substring(0, space), ContentType.of(line.substring(space + 1) + parameters));
            });
  }
}
