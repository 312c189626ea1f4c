package dev.peregrine.bench.technique;

import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Fills lists with the same objects, walks them, and removes the objects in another order. */
public class ListBenchmark extends Technique {
  private static final int ELEMENTS = 1000;
  private static final long SUM = ELEMENTS * (ELEMENTS - 1L) / 2;

  @Param ElementList.Kind form;

  private final ElementList.Element[] elements = new ElementList.Element[ELEMENTS];
  private final ElementList.Element[] mixed = new ElementList.Element[ELEMENTS];
  private ElementList filled;
  private ElementList changing;

  /** Checks that the list has all elements that were added and not removed. */
  @Setup
  public void setUp() {
    Random random = new Random(1);
    for (int i = 0; i < ELEMENTS; i++) {
      elements[i] = new ElementList.Element(i);
      int place = random.nextInt(i + 1);
      mixed[i] = mixed[place];
      mixed[place] = elements[i];
    }
    filled = form.open();
    changing = form.open();
    for (int round = 0; round < 2; round++) {
      fill(filled);
      checkEqual(SUM, walk());
      long rest = SUM;
      for (int i = 0; i < ELEMENTS / 2; i++) {
        filled.remove(mixed[i]);
        rest -= mixed[i].value;
      }
      checkEqual(rest, walk());
      filled.clear();
      checkEqual(0, walk(), fillAndClear().sum(), fillAndRemove().sum());
    }
    fill(filled);
    checkEqual(SUM, walk());
  }

  /** Reads every element. */
  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public long walk() {
    return filled.sum();
  }

  /** Adds all elements, and empties the list at once. */
  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public ElementList fillAndClear() {
    fill(changing);
    changing.clear();
    return changing;
  }

  /** Adds all elements, and removes one after the other, in a mixed order. */
  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public ElementList fillAndRemove() {
    fill(changing);
    for (ElementList.Element element : mixed) {
      changing.remove(element);
    }
    return changing;
  }

  private void fill(ElementList list) {
    for (ElementList.Element element : elements) {
      list.add(element);
    }
  }
}
