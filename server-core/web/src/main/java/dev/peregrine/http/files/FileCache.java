package dev.peregrine.http.files;

import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Resources by their path, within a budget of bytes. A resource that was requested since the last
 * check is passed over once when room is needed (second chance). Looking up takes no lock.
 */
final class FileCache {
  private static final class Entry {
    final String path;
    volatile Resource resource;
    boolean used; // a lost write costs one chance

    Entry(String path, Resource resource) {
      this.path = path;
      this.resource = resource;
    }
  }

  private final long bytesMax;
  private final ConcurrentHashMap<String, Entry> entries = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<Entry> order = new ArrayDeque<>(); // this and all below: by the lock
  private long bytes;

  FileCache(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  @Nullable Resource get(String path) {
    Entry entry = entries.get(path);
    if (entry == null) {
      return null;
    }
    if (!entry.used) {
      entry.used = true;
    }
    return entry.resource;
  }

  /** Returns true if a resource of that size is kept. */
  boolean admits(long resourceBytes) {
    return resourceBytes <= bytesMax;
  }

  /**
   * Keeps the resource of a path in place of an earlier one, whose compressed form it takes over if
   * it lacks that. Does nothing if it is larger than the budget.
   */
  void put(String path, Resource resource) {
    if (!admits(resource.bytes())) {
      remove(path);
      return;
    }
    lock.lock();
    try {
      Entry entry = entries.get(path);
      if (entry == null) {
        entry = new Entry(path, resource);
        entries.put(path, entry);
        order.add(entry);
      } else {
        Resource whole = resource.withCompressedOf(entry.resource);
        bytes -= entry.resource.bytes();
        entry.resource = admits(whole.bytes()) ? whole : resource;
      }
      bytes += entry.resource.bytes();
      evict();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Adds a compressed form to a resource, unless the file has another state by now, or the form
   * isn't missing.
   *
   * @param file the state that was compressed
   * @param form null if none is worth its memory
   */
  void addCompressed(String path, Representation file, @Nullable Representation form) {
    lock.lock();
    try {
      Entry entry = entries.get(path);
      if (entry == null || !entry.resource.lacksCompressed(file)) {
        return;
      }
      Resource added = entry.resource.withCompressed(form);
      if (!admits(added.bytes())) {
        added = entry.resource.withCompressed(null);
      }
      bytes += added.bytes() - entry.resource.bytes();
      entry.resource = added;
      evict();
    } finally {
      lock.unlock();
    }
  }

  void remove(String path) {
    lock.lock();
    try {
      Entry entry = entries.remove(path);
      if (entry != null) {
        order.remove(entry);
        bytes -= entry.resource.bytes();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns the bytes that the resources take. */
  long bytes() {
    lock.lock();
    try {
      return bytes;
    } finally {
      lock.unlock();
    }
  }

  private void evict() {
    while (bytes > bytesMax) {
      Entry oldest = order.remove();
      if (oldest.used) {
        oldest.used = false;
        order.add(oldest);
      } else {
        entries.remove(oldest.path);
        bytes -= oldest.resource.bytes();
      }
    }
  }
}
