package dev.peregrine.http.files;

import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.files.tree.FileStatus;
import dev.peregrine.http.files.tree.FileTree;
import java.io.IOException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/** The files of a directory and the cache of them. Thread-safe. */
final class FileStore {
  private final FileTree tree;
  private final FileLoader loader;
  private final FileCache cache;
  private final @Nullable FileCompressor compressor;
  private final int cachedFileBytesMax;
  private final long freshNanos;

  /**
   * Creates a store.
   *
   * @param compressor compresses files; null for none
   * @param cachedFileBytesMax size of a file up to which its content is kept
   * @param freshNanos time for which an entry of the cache is trusted
   */
  FileStore(
      FileTree tree,
      FileLoader loader,
      FileCache cache,
      @Nullable FileCompressor compressor,
      int cachedFileBytesMax,
      long freshNanos) {
    this.compressor = compressor;
    this.tree = tree;
    this.loader = loader;
    this.cache = cache;
    this.cachedFileBytesMax = cachedFileBytesMax;
    this.freshNanos = freshNanos;
  }

  /** Answers if that needs only memory. Returns true if it did. */
  boolean answerFromMemory(String path, Request request, Response response) {
    Resource known = fresh(path);
    if (known == null) {
      return false;
    }
    wantCompressed(path, known, request);
    Representation file = known.choose(request);
    return FileResponse.answer(request, response, file, null, isFromMemory(known, file));
  }

  /**
   * Answers by the cached attributes, with the bytes of the file if they aren't in memory.
   *
   * @return false, with nothing done, if the cache knows too little, or if the file has changed or
   *     reading it would have to wait
   */
  boolean answerFromKnown(String path, Request request, Response response, boolean mayWait)
      throws IOException {
    Resource known = fresh(path);
    if (known == null) {
      return false;
    }
    wantCompressed(path, known, request);
    Representation file = known.choose(request);
    boolean complete = file.content != null || !isFromMemory(known, file);
    return complete && answerWith(file, request, response, mayWait);
  }

  private @Nullable Resource fresh(String path) {
    Resource known = cache.get(path);
    return known != null && known.isFresh(freshNanos) ? known : null;
  }

  /** Like {@link FileTree#find}. */
  FileStatus find(String path, boolean mayWait) throws IOException {
    return tree.find(path, mayWait);
  }

  /** Drops the entry of a path that leads to no file. */
  void forget(String path) {
    cache.remove(path);
  }

  /**
   * Answers with a regular file, and keeps its attributes in the cache.
   *
   * @param path its key
   * @param checkedNanos when the look-up of the file began
   * @return false, with nothing done, if the file has changed or it would have to wait for the disk
   */
  boolean answerFromDisk(
      String path,
      FileStatus found,
      long checkedNanos,
      Request request,
      Response response,
      boolean mayWait)
      throws IOException {
    Resource known = cache.get(path);
    Resource resource = loader.load(found, known, checkedNanos, mayWait);
    if (resource == null) {
      return false;
    }
    if (known != null) {
      wantCompressed(path, resource, request);
    }
    Representation file = resource.choose(request);
    if (file.content != null || !isKept(resource, file)) {
      keep(path, resource);
      return answerWith(file, request, response, mayWait);
    }
    if (FileResponse.answer(request, response, file, null, true)) {
      keep(path, resource);
      return true;
    }
    Representation whole = loader.withContent(file, mayWait);
    if (whole == null) {
      return false;
    }
    keep(path, resource.with(whole));
    return FileResponse.answer(request, response, whole, null, true);
  }

  /**
   * Has the compressed form made that a client of a file in the cache would get. So a file that is
   * requested once, as by a crawler, isn't compressed.
   */
  private void wantCompressed(String path, Resource resource, Request request) {
    if (compressor != null && resource.lacks(compressor.coding(), request)) {
      compressor.want(path, resource.plain(), this);
    }
  }

  /** Returns all bytes of a plain file; null if it has changed. May wait for the disk. */
  byte @Nullable [] read(Representation file) throws IOException {
    return file.content != null ? file.content.array() : tree.read(file.seen, true);
  }

  /** Returns true if the cache has that state of a file, without a compressed form. */
  boolean lacksCompressed(String path, Representation file) {
    Resource known = cache.get(path);
    return known != null && known.lacksCompressed(file);
  }

  /** Adds a compressed form; null if none is worth its memory. */
  void addCompressed(String path, Representation file, @Nullable Representation form) {
    cache.addCompressed(path, file, form);
  }

  private boolean isFromMemory(Resource resource, Representation file) {
    return file.content != null || isKept(resource, file);
  }

  /** Returns true if the content of one of a resource's representations is to be in memory. */
  private boolean isKept(Resource resource, Representation file) {
    return file.size <= cachedFileBytesMax
        && resource.isSettled()
        && cache.admits(resource.bytes() + file.size);
  }

  private void keep(String path, Resource resource) {
    if (resource.isSettled()) {
      cache.put(path, resource);
    } else {
      cache.remove(path);
    }
  }

  /** Answers from memory, or by the file itself. */
  private boolean answerWith(
      Representation file, Request request, Response response, boolean mayWait) throws IOException {
    boolean fromMemory = file.content != null;
    if (FileResponse.answer(request, response, file, null, fromMemory)) {
      return true;
    }
    FileChannel channel = tree.open(file.seen, mayWait);
    boolean taken = false;
    try {
      taken = channel != null && FileResponse.answer(request, response, file, channel, false);
      return taken;
    } finally {
      if (channel != null && !taken) {
        channel.close();
      }
    }
  }
}
