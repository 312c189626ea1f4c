package dev.peregrine.http.files;

import dev.peregrine.base.Range;
import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.http.coding.ContentCoding;
import dev.peregrine.http.files.tree.FileStatus;
import dev.peregrine.http.files.tree.FileStatus.Kind;
import dev.peregrine.http.files.tree.FileTree;
import dev.peregrine.http.files.tree.LinuxTree;
import dev.peregrine.http.files.tree.PortableTree;
import dev.peregrine.protocol.FieldSyntax;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.HttpMethod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Serves the files below a directory, by GET and HEAD.
 *
 * <pre>{@code
 * Handler site = StaticFiles.of(Path.of("site"));
 * Handler assets =
 *     StaticFiles.builder(Path.of("dist"))
 *         .cacheControl("public, max-age=31536000, immutable")
 *         .build();
 * Routes routes = Routes.builder().mount("/assets", assets).build();
 * }</pre>
 *
 * <p>Supports conditional requests (RFC 9110 section 13), one or more ranges (section 14), and
 * files that lie beside others in another content coding ({@code app.js.br}, {@code .zst}, {@code
 * .gz}), which are sent in their place to clients that prefer them (section 12.5.3). Text without
 * such a file is compressed once, after its second request, and kept in memory; until then it is
 * sent as it is, so that no response waits for that. An entity tag identifies one state of one
 * file: it is derived from its size, its inode, its modification time, and the time of the last
 * change of content or attributes, which programs can't set. It is weak for two seconds after such
 * a change, and where the system has no inodes.
 *
 * <p>A path is split at its slashes, then each name is decoded once, as UTF-8; broken encoding,
 * control characters, empty names, {@code .} and {@code ..} get 400. No file has a name with a
 * slash, backslash or colon, with a dot or space at the end, or of a device of Windows; names that
 * begin with a dot are hidden, except for {@code .well-known} in the directory itself (RFC 8615).
 * Files outside of the directory are not found, even through a link, unless {@link
 * Builder#linksLeaveRoot} allows it. Only regular files are opened. Users who may write to the
 * directory are trusted.
 *
 * <p>A path that names a directory but doesn't end with a slash is redirected to the one that does;
 * a path with the slash gets the directory's index; without one 404, or {@link Builder#listing a
 * list} of what is served of the directory.
 *
 * <p>Small files are kept in memory and sent on the event loop. The attributes of larger ones are
 * kept too; the file is opened for each response, and sent only if it is the known one. On Linux
 * with native access the event loop opens it, by {@code openat2} relative to the directory, as long
 * as the system doesn't need the disk for that; the bytes are sent by {@code sendfile}. Work that
 * has to wait for the disk, or finds files without native access, runs on a virtual thread; its
 * bytes are sent by {@link Response#send(FileChannel, long, long)}.
 *
 * <p>On Linux with native access the directory itself stays open until this object is collected.
 * Thread-safe.
 */
public final class StaticFiles implements Handler {
  private static final Set<String> METHODS = Set.of("GET");
  private static final int ATTEMPTS_MAX = 3;

  private final Mount mount;
  private final String index;
  private final boolean hidden;
  private final FileStore store;
  private final @Nullable DirectoryListing listing; // null: directories are not listed

  private StaticFiles(Builder options) {
    this.mount = new Mount(options.prefix);
    this.index = options.index;
    this.hidden = options.hidden;
    this.store = options.store();
    this.listing =
        options.listing ? new DirectoryListing(options.root, options.hidden, store) : null;
  }

  /**
   * Serves a directory with the defaults of {@link Builder}.
   *
   * @throws UncheckedIOException if it isn't a directory
   */
  public static StaticFiles of(Path root) {
    return builder(root).build();
  }

  /** Creates a builder with default options. */
  public static Builder builder(Path root) {
    return new Builder(root);
  }

  /** Returns {@code GET}, which stands for HEAD too. */
  @Override
  public Set<String> methods() {
    return METHODS;
  }

  @Override
  public void handle(Request request, Response response) {
    HttpMethod method = request.method();
    if (method != HttpMethod.GET && method != HttpMethod.HEAD) {
      response.fail(
          new HttpException(405, "files are read with GET and HEAD")
              .header(HeaderName.ALLOW, "GET, HEAD"));
      return;
    }
    String path = request.path();
    int start = mount.prefixLength(path, request);
    if (start < 0) {
      answerNotFound(response);
      return;
    }
    String below = path.substring(start);
    if (below.isEmpty()) {
      redirect(mount.pathOf("/", request), request, response);
      return;
    }
    if (store.answerFromMemory(below, request, response)) {
      return;
    }
    boolean mayWait = Thread.currentThread().isVirtual();
    if (!answer(below, request, response, mayWait)) {
      response.async();
      String caller = Thread.currentThread().getName();
      Thread.ofVirtual()
          .name(caller + "-files")
          .start(() -> answer(below, request, response, true));
    }
  }

  /**
   * Responds from the disk. Returns false, with nothing done, if it would have to wait for the
   * disk.
   */
  private boolean answer(String below, Request request, Response response, boolean mayWait) {
    try {
      return doAnswer(below, request, response, mayWait);
    } catch (AccessDeniedException denied) {
      answerDenied(response);
    } catch (Throwable failure) {
      response.fail(failure);
    }
    return true;
  }

  private boolean doAnswer(String below, Request request, Response response, boolean mayWait)
      throws IOException {
    RequestPath asked = RequestPath.parse(below.substring(1));
    if (asked == null || (asked.isHidden() && !hidden)) {
      answerNotFound(response);
      return true;
    }
    String canonical = "/" + asked.canonical(); // one entry for all spellings of a path
    if (store.answerFromKnown(canonical, request, response, mayWait)) {
      return true;
    }
    for (int i = 0; i < ATTEMPTS_MAX; i++) {
      long checkedNanos = System.nanoTime();
      FileStatus found = find(asked, mayWait);
      if (found.kind() == Kind.WAITS) {
        return false;
      }
      if (!found.isRegular()) {
        store.forget(canonical);
        if (mayBeListed(found, asked)) {
          if (!mayWait) {
            return false;
          }
          if (Objects.requireNonNull(listing).answer(asked, request, response)) {
            return true;
          }
        }
        answerWithout(found, asked, request, response);
        return true;
      }
      if (store.answerFromDisk(canonical, found, checkedNanos, request, response, mayWait)) {
        return true;
      }
      if (!mayWait) {
        return false;
      }
    }
    throw new HttpException(503, "the file keeps changing");
  }

  /** Returns true if a path may be that of a directory without index. */
  private boolean mayBeListed(FileStatus found, RequestPath asked) {
    return listing != null && asked.endsWithSlash() && found.kind() == Kind.ABSENT;
  }

  /** Looks a path up; for one that ends with a slash, its directory's index. */
  private FileStatus find(RequestPath asked, boolean mayWait) throws IOException {
    if (!asked.endsWithSlash()) {
      return store.find(asked.joined(""), mayWait);
    }
    if (index.isEmpty()) {
      return FileStatus.ABSENT;
    }
    return store.find(asked.joined(asked.names().isEmpty() ? index : "/" + index), mayWait);
  }

  /** Answers for a path that leads to no file. */
  private void answerWithout(
      FileStatus found, RequestPath asked, Request request, Response response) {
    if (found.kind() == Kind.DENIED) {
      answerDenied(response);
    } else if (found.isDirectory() && !asked.endsWithSlash()) {
      redirect(mount.pathOf("/" + asked.canonical() + "/", request), request, response);
    } else {
      answerNotFound(response);
    }
  }

  private static void answerNotFound(Response response) {
    response.fail(new HttpException(404, "file not found"));
  }

  private static void answerDenied(Response response) {
    response.fail(new HttpException(403, "the file can't be read"));
  }

  private static void redirect(String location, Request request, Response response) {
    String query = request.query();
    response.header(HeaderName.LOCATION, query == null ? location : location + "?" + query);
    response.status(HttpStatus.MOVED_PERMANENTLY).text("This is a directory.\n");
  }

  /**
   * Options for serving files. A value out of its range throws {@link IllegalArgumentException}.
   * Not thread-safe.
   */
  public static final class Builder {
    private static final long CACHE_BYTES_MAX = 16 * 1024 * 1024;
    private static final int CACHED_FILE_BYTES_MAX = 64 * 1024;
    private static final int CACHED_FILE_BYTES_LIMIT = 16 * 1024 * 1024;
    private static final int COMPRESSED_FILE_BYTES_MAX = 8 * 1024 * 1024;
    private static final int COMPRESSED_FILE_BYTES_LIMIT = 64 * 1024 * 1024;
    private static final ContentCoding COMPRESSION = ContentCoding.gzip(6);
    private static final int TICK_SECONDS = 2; // time stamps of the coarsest file systems

    private final Path root;
    private final Map<String, ContentType> types = new HashMap<>();
    private @Nullable String prefix;
    private String index = "index.html";
    private String cacheControl = "";
    private String textCharset = "utf-8";
    private boolean hidden;
    private boolean listing;
    private boolean linksLeaveRoot;
    private boolean precompressed = true;
    private int compressedFileBytesMax = COMPRESSED_FILE_BYTES_MAX;
    private ContentCoding compression = COMPRESSION;
    private long cacheBytesMax = CACHE_BYTES_MAX;
    private int cachedFileBytesMax = CACHED_FILE_BYTES_MAX;
    private Duration revalidateAfter = Duration.ofSeconds(1);
    private boolean portable;
    private int tickSeconds = TICK_SECONDS;

    private Builder(Path root) {
      this.root = Objects.requireNonNull(root);
    }

    /**
     * Sets the part of the path, as sent, that stands for the directory. Paths that don't begin
     * with it are not found. By default it is the part before the {@code *} of the routes that lead
     * here, such as {@code /assets/} for a handler that is mounted on {@code /assets}; {@code /}
     * without routes.
     *
     * @throws IllegalArgumentException unless it begins and ends with a slash, and has no query
     */
    public Builder prefix(String path) {
      boolean local = path.startsWith("/") && !path.startsWith("//") && path.endsWith("/");
      if (!local || !path.matches("[!-~&&[^?#\\\\]]+")) {
        throw new IllegalArgumentException("prefix is not /…/ as in a request: " + path);
      }
      prefix = path.substring(0, path.length() - 1);
      return this;
    }

    /**
     * Sets the file that stands for its directory; {@code index.html} by default, empty for none.
     */
    public Builder index(String fileName) {
      index = Objects.requireNonNull(fileName);
      return this;
    }

    /**
     * Sets the value of Cache-Control in every response with a file; empty, the default, for none.
     */
    public Builder cacheControl(String value) {
      if (!FieldSyntax.isFieldValue(value)) {
        throw new IllegalArgumentException("not a field value: Cache-Control: " + value);
      }
      cacheControl = value;
      return this;
    }

    /**
     * Sets the content type of files with an extension, in place of the built-in one.
     *
     * @param extension without its dot; case doesn't matter
     */
    public Builder contentType(String extension, ContentType type) {
      types.put(extension.toLowerCase(Locale.ROOT), Objects.requireNonNull(type));
      return this;
    }

    /**
     * Sets the charset that text is declared to have; {@code utf-8} by default, empty to declare
     * none.
     */
    public Builder textCharset(String charset) {
      textCharset = Objects.requireNonNull(charset);
      return this;
    }

    /**
     * Sets whether files and directories are served if their names begin with a dot; by default
     * only those in {@code .well-known}.
     */
    public Builder hidden(boolean served) {
      hidden = served;
      return this;
    }

    /**
     * Sets whether a directory without an index is listed; not by default. The page has the files
     * and directories that are served, 1000 of them at most, with their sizes and times (UTC), and
     * links that sort them. It has no script. Each request reads the directory, on a virtual
     * thread.
     */
    public Builder listing(boolean listed) {
      listing = listed;
      return this;
    }

    /**
     * Sets whether symbolic links may lead out of the directory; not by default. Other links are
     * always followed.
     */
    public Builder linksLeaveRoot(boolean allowed) {
      linksLeaveRoot = allowed;
      return this;
    }

    /**
     * Sets whether {@code x.br}, {@code x.zst} and {@code x.gz} are sent in place of {@code x} to
     * clients that prefer those codings; true by default. The application must ensure that they
     * have the same content.
     */
    public Builder precompressed(boolean used) {
      precompressed = used;
      return this;
    }

    /**
     * Sets the largest file, in bytes, that is compressed for clients that accept it; 8 MiB by
     * default, at most 64 MiB, 0 for none. It applies to files of 1 KiB or more, of a type that
     * {@link Compression#isCompressible}, without that coding beside them, and not with {@code
     * Cache-Control: no-transform}.
     */
    public Builder compressedFileBytesMax(int bytes) {
      compressedFileBytesMax =
          Range.check("compressedFileBytesMax", bytes, 0, COMPRESSED_FILE_BYTES_LIMIT);
      return this;
    }

    /**
     * Sets the coding of compressed files; {@code ContentCoding.gzip(6)} by default. Creates an
     * encoder at once, so that a missing library fails here.
     */
    public Builder compression(ContentCoding coding) {
      coding.newEncoder().close();
      compression = coding;
      return this;
    }

    /**
     * Sets the memory for files and their attributes, in bytes; 16 MiB by default, 0 for none. Each
     * file takes its size and about 2 KiB; compressed forms of more than 16 KiB are direct memory.
     */
    public Builder cacheBytesMax(long bytes) {
      Range.checkAtLeast("cacheBytesMax", bytes, 0);
      cacheBytesMax = bytes;
      return this;
    }

    /**
     * Sets the largest file, in bytes, whose content is kept in memory; 64 KiB by default, at most
     * 16 MiB. Of larger ones only the attributes are kept.
     */
    public Builder cachedFileBytesMax(int bytes) {
      cachedFileBytesMax = Range.check("cachedFileBytesMax", bytes, 0, CACHED_FILE_BYTES_LIMIT);
      return this;
    }

    /**
     * Sets how long a file is sent from memory without a check for changes; 1 s by default. The
     * files beside it, and the directory that the root's path leads to, are checked as seldom. 0
     * checks at every request. A file that is not in memory is checked whenever its bytes are sent.
     */
    public Builder revalidateAfter(Duration time) {
      Range.checkNotNegative("revalidateAfter", time);
      revalidateAfter = time;
      return this;
    }

    /** For tests: uses the portable way to find files. */
    Builder portable(boolean always) {
      portable = always;
      return this;
    }

    /** For tests: treats a file as settled even if it was changed just now. */
    Builder settledAtOnce() {
      tickSeconds = -1;
      return this;
    }

    private FileStore store() {
      FileTree tree = tree();
      FileTypes known = new FileTypes(textCharset, types);
      FileCompressor compressor = compressor();
      return new FileStore(
          tree,
          new FileLoader(tree, known, cacheControl, precompressed, compressor, tickSeconds),
          new FileCache(cacheBytesMax),
          compressor,
          cachedFileBytesMax,
          revalidateAfter.toNanos());
    }

    private @Nullable FileCompressor compressor() {
      boolean used =
          compressedFileBytesMax > 0
              && cacheBytesMax > 0
              && !cacheControl.toLowerCase(Locale.ROOT).contains("no-transform");
      return used ? new FileCompressor(compression, compressedFileBytesMax) : null;
    }

    private FileTree tree() {
      if (!Files.isDirectory(root)) {
        throw new UncheckedIOException(new IOException("not a directory: " + root));
      }
      long freshNanos = revalidateAfter.toNanos();
      FileTree linux = portable ? null : LinuxTree.of(root, linksLeaveRoot, freshNanos);
      return linux != null ? linux : new PortableTree(root, linksLeaveRoot, freshNanos);
    }

    /**
     * Returns the handler.
     *
     * @throws UncheckedIOException if the root isn't a directory
     */
    public StaticFiles build() {
      return new StaticFiles(this);
    }
  }
}
