package dev.peregrine.bench.technique;

import static java.lang.classfile.ClassFile.ACC_FINAL;
import static java.lang.classfile.ClassFile.ACC_PUBLIC;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.protocol.grammar.Ascii;
import dev.peregrine.protocol.grammar.Swar;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Finds the number of a field name by code that is generated for a list of names. */
interface GeneratedNames {
  /** The number of a name that isn't in the list; also the number of names at most. */
  int UNKNOWN = 63;

  /** Returns the number of a name; eight bytes must be readable after it. */
  int find(MemorySegment bytes, long at, int length);

  /** Generates a switch by length, in which the words of each name are compared in turn. */
  static GeneratedNames of(List<String> names) {
    Map<Integer, List<Integer>> byLength =
        IntStream.range(0, names.size())
            .boxed()
            .collect(
                Collectors.groupingBy(
                    id -> names.get(id).length(), TreeMap::new, Collectors.toList()));
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    ClassDesc type = lookup.lookupClass().describeConstable().orElseThrow();
    byte[] code =
        ClassFile.of()
            .build(
                type.nested("Code"),
                made ->
                    made.withFlags(ACC_FINAL)
                        .withInterfaceSymbols(type)
                        .withMethodBody(
                            INIT_NAME,
                            MTD_void,
                            0,
                            init ->
                                init.aload(0)
                                    .invokespecial(CD_Object, INIT_NAME, MTD_void)
                                    .return_())
                        .withMethodBody(
                            "find",
                            MethodTypeDesc.of(CD_int, Find.SEGMENT, CD_long, CD_int),
                            ACC_PUBLIC,
                            find -> Find.write(find, byLength, names)));
    try {
      Class<?> made = lookup.defineHiddenClass(code, true).lookupClass();
      return (GeneratedNames) made.getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Writes the method. */
  final class Find {
    private static final ClassDesc SEGMENT = MemorySegment.class.describeConstable().orElseThrow();
    private static final ClassDesc MEMORY = Memory.class.describeConstable().orElseThrow();
    private static final MethodTypeDesc LONG_AT = MethodTypeDesc.of(CD_long, SEGMENT, CD_long);
    private static final int BYTES = 1; // local variables
    private static final int AT = 2;
    private static final int LENGTH = 4;
    private static final long CASE_BITS = Swar.repeat(Ascii.CASE_BIT);

    private Find() {}

    private static void write(
        CodeBuilder code, Map<Integer, List<Integer>> byLength, List<String> names) {
      Label unknown = code.newLabel();
      List<SwitchCase> cases =
          byLength.keySet().stream().map(length -> SwitchCase.of(length, code.newLabel())).toList();
      code.iload(LENGTH).lookupswitch(unknown, cases);
      Iterator<SwitchCase> next = cases.iterator();
      for (List<Integer> ids : byLength.values()) {
        code.labelBinding(next.next().target());
        for (int id : ids) {
          Label other = code.newLabel();
          compare(code, names.get(id).toLowerCase(Locale.ROOT), other);
          code.loadConstant(id).ireturn().labelBinding(other);
        }
        code.goto_w(unknown);
      }
      code.labelBinding(unknown).loadConstant(UNKNOWN).ireturn();
    }

    private static void compare(CodeBuilder code, String name, Label other) {
      for (int from = 0; from < name.length(); from += Long.BYTES) {
        int left = Math.min(name.length() - from, Long.BYTES);
        long mask = -1L >>> ((Long.BYTES - left) * Byte.SIZE);
        code.aload(BYTES).lload(AT).loadConstant((long) from).ladd();
        code.invokestatic(MEMORY, "longAt", LONG_AT);
        code.loadConstant(CASE_BITS).lor().loadConstant(mask).land();
        code.loadConstant(Memory.word(name.substring(from, from + left)) & mask);
        code.lcmp().ifne(other);
      }
    }
  }
}
