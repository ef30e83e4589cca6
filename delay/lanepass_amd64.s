#include "go_asm.h"
#include "textflag.h"

DATA laneNumbers<>+0(SB)/8, $0
DATA laneNumbers<>+8(SB)/8, $1
DATA laneNumbers<>+16(SB)/8, $2
DATA laneNumbers<>+24(SB)/8, $3
DATA laneNumbers<>+32(SB)/8, $4
DATA laneNumbers<>+40(SB)/8, $5
DATA laneNumbers<>+48(SB)/8, $6
DATA laneNumbers<>+56(SB)/8, $7
GLOBL laneNumbers<>(SB), RODATA, $64

// In passRowAVX512
// R8, R9: keys and means of the row, R10: where keys are kept, R11: links along the row, R12: 1/hops, R13: bins,
// R14: end of the inflows, R15: bins of the vertices of the row, AX: offset of a vertex on the way up, BX: on the way
// down, DX: of the last on the way up, CX, SI, DI: scratch
// Z0, Z1: key and mean of the last vertex on the way up, Z2, Z3: on the way down
// Z4, Z5: key and mean of a vertex, Z6: what its key has to reach, Z7 to Z13: scratch, Z14: numbers of lanes,
// Z15: delay of a source itself
// Z16 to Z21: sums and greatest values, Z22: bit 63 where an arc leads sooner, Z23: bits of the length, Z24: 0.5,
// X25, X26: bits to shift, Z27: 1/hops, Z28: steps along the row by hops, Z29: steps along the row, Z30: no key,
// Z31: 1

// ENTER takes the steps into the vertex at an offset from the rows before. Z6 is the greatest of the keys there less the
// links: a smaller key leads back sooner.
#define ENTER(at, first, loop, done) \
	MOVQ         at, CX;                        \
	SHRQ         $3, CX;                        \
	VMOVDQA64    first, Z4;                     \
	VPXORQ       Z5, Z5, Z5;                    \
	VPXORQ       Z6, Z6, Z6;                    \
	MOVQ         inflows-8(SP), SI;             \
	CMPQ         SI, R14;                       \
	JEQ          done;                          \
	loop:                                       \
	MOVQ         inflowLanes_links(SI), DI;     \
	VMOVDQU64    (DI)(CX*1), Z7;                \
	MOVQ         inflowLanes_keys(SI), DI;      \
	VMOVDQU64    (DI)(at*1), Z8;                \
	VPADDQ       Z7, Z8, Z9;                    \
	VPMINUQ      Z9, Z4, Z4;                    \
	VPSUBQ       Z7, Z8, Z9;                    \
	VPMAXSQ      Z9, Z6, Z6;                    \
	VPSRLQ       X25, Z7, Z7;                   \
	VCVTQQ2PD    Z7, Z7;                        \
	MOVQ         inflowLanes_means(SI), DI;     \
	VADDPD       (DI)(at*1), Z7, Z7;            \
	VMULPD.BCST  inflowLanes_steps(SI), Z7, Z7; \
	VADDPD       Z7, Z5, Z5;                    \
	ADDQ         $inflowLanes__size, SI;        \
	CMPQ         SI, R14;                       \
	JNE          loop;                          \
	done:                                       \
	VBROADCASTSD (R12), Z27

// STEP takes the step along the row from a vertex to the next over links in Z7.
#define STEP(key, mean) \
	VPADDQ     Z7, key, Z8;        \
	VPMINUQ    Z8, Z4, Z4;         \
	VPADDQ     Z7, Z4, Z8;         \
	VPSUBQ     key, Z8, Z8;        \
	VPSUBQ     Z6, Z4, Z9;         \
	VPTERNLOGQ $0xfe, Z8, Z9, Z22; \
	VPSRLQ     X25, Z7, Z7;        \
	VCVTQQ2PD  Z7, Z7;             \
	VMULPD     mean, Z28, Z10;     \
	VMULPD     Z5, Z27, Z5;        \
	VADDPD     Z5, Z10, Z10;       \
	VMULPD     Z7, Z28, Z7;        \
	VADDPD     Z7, Z10, mean;      \
	VMOVDQA64  Z4, key

// KEEP writes a vertex.
#define KEEP(key, mean, at) \
	VMOVDQU64 key, (R8)(at*1);  \
	VMOVUPD   mean, (R9)(at*1); \
	VMOVNTDQ  key, (R10)(at*1)

// GATHER counts a vertex. Its bins are written down: they are added to when the row is through, as they are mostly out of
// the first-level cache and would hold up what follows.
#define GATHER(key, mean, at) \
	VPADDQ     key, Z16, Z16;   \
	VPSRLQ     X25, key, Z11;   \
	VPADDQ     Z11, Z17, Z17;   \
	VADDPD     Z24, mean, Z12;  \
	VCVTTPD2QQ Z12, Z12;        \
	VPADDQ     Z12, Z18, Z18;   \
	VPMAXUQ    key, Z19, Z19;   \
	VPANDQ     Z23, key, Z13;   \
	VPMAXUQ    Z13, Z20, Z20;   \
	VPMAXUQ    Z12, Z21, Z21;   \
	VPADDQ     Z15, Z11, Z11;   \
	VPSRLQ     X26, Z11, Z11;   \
	VPSLLQ     $3, Z11, Z11;    \
	VPORQ      Z14, Z11, Z11;   \
	MOVQ       at, CX;          \
	SHRQ       $1, CX;          \
	VPMOVQD    Z11, (R15)(CX*1)

// func passRowAVX512(args *passRowArgs) bool
TEXT ·passRowAVX512(SB), NOSPLIT, $8-9
	MOVQ         args+0(FP), AX
	MOVQ         passRowArgs_keys(AX), R8
	MOVQ         passRowArgs_means(AX), R9
	MOVQ         passRowArgs_kept(AX), R10
	MOVQ         passRowArgs_links(AX), R11
	MOVQ         passRowArgs_per(AX), R12
	MOVQ         passRowArgs_bins(AX), R13
	MOVQ         passRowArgs_inflows(AX), SI
	MOVQ         SI, inflows-8(SP)
	MOVQ         passRowArgs_count(AX), CX
	IMULQ        $inflowLanes__size, CX
	LEAQ         (SI)(CX*1), R14
	MOVQ         passRowArgs_at(AX), R15
	LEAQ         laneNumbers<>(SB), DI
	VMOVDQU64    (DI), Z14
	MOVQ         passRowArgs_sums(AX), DI
	VMOVDQU64    (DI), Z16
	VMOVDQU64    64(DI), Z17
	VMOVDQU64    128(DI), Z18
	VMOVDQU64    192(DI), Z19
	VMOVDQU64    256(DI), Z20
	VMOVDQU64    320(DI), Z21
	VPXORQ       Z22, Z22, Z22
	VPTERNLOGQ   $0xff, Z30, Z30, Z30
	VMOVQ        passRowArgs_lenBits(AX), X25
	VPSLLQ       X25, Z30, Z23
	VPANDNQ      Z30, Z23, Z23
	VPSRLQ       $1, Z30, Z30
	VMOVQ        passRowArgs_shift(AX), X26
	VPBROADCASTQ passRowArgs_own(AX), Z15
	MOVQ         $0x3fe0000000000000, CX
	VPBROADCASTQ CX, Z24
	MOVQ         $0x3ff0000000000000, CX
	VPBROADCASTQ CX, Z31
	VXORPD       Z29, Z29, Z29
	MOVQ         passRowArgs_steps(AX), DX
	SHLQ         $6, DX
	MOVQ         passRowArgs_width(AX), BX
	SHLQ         $6, BX

	// The column of the sources themselves.
	XORQ      AX, AX
	VMOVDQA64 Z30, Z0
	CMPQ      SI, R14
	JNE       entered
	VPXORQ    Z0, Z0, Z0

entered:
	ENTER(AX, Z0, loop0, done0)
	VPSUBQ    Z6, Z4, Z9
	VPORQ     Z9, Z22, Z22
	VMULPD    Z27, Z5, Z1
	VMOVDQA64 Z4, Z0
	KEEP(Z0, Z1, AX)
	GATHER(Z0, Z1, AX)
	VMOVDQA64 Z0, Z2
	VMOVAPD   Z1, Z3

	// Two chains at once: each waits for itself.
next:
	CMPQ      AX, DX
	JEQ       ends
	ADDQ      $64, AX
	SUBQ      $64, BX
	ADDQ      $8, R12
	VADDPD    Z31, Z29, Z29
	ENTER(AX, Z30, loop1, done1)
	VMULPD    Z27, Z29, Z28
	VMOVDQU64 -8(R11)(CX*1), Z7
	STEP(Z0, Z1)
	KEEP(Z0, Z1, AX)
	GATHER(Z0, Z1, AX)
	ENTER(BX, Z30, loop2, done2)
	VMOVDQU64 (R11)(CX*1), Z7
	STEP(Z2, Z3)
	KEEP(Z2, Z3, BX)
	GATHER(Z2, Z3, BX)
	JMP       next

ends:
	// What is between the two ends: a vertex on the far side of an even ring, or a link.
	ADDQ       $64, AX
	CMPQ       AX, BX
	JEQ        link
	ADDQ       $8, R12
	VADDPD     Z31, Z29, Z29
	ENTER(AX, Z30, loop3, done3)
	VMULPD     Z24, Z29, Z28
	VMOVDQU64  -8(R11)(CX*1), Z7
	VMOVDQU64  (R11)(CX*1), Z8
	VPADDQ     Z7, Z0, Z9
	VPMINUQ    Z9, Z4, Z4
	VPADDQ     Z8, Z2, Z9
	VPMINUQ    Z9, Z4, Z4
	VPADDQ     Z7, Z4, Z9
	VPSUBQ     Z0, Z9, Z9
	VPORQ      Z9, Z22, Z22
	VPADDQ     Z8, Z4, Z9
	VPSUBQ     Z2, Z9, Z9
	VPSUBQ     Z6, Z4, Z10
	VPTERNLOGQ $0xfe, Z9, Z10, Z22
	VPSRLQ     X25, Z7, Z7
	VCVTQQ2PD  Z7, Z7
	VPSRLQ     X25, Z8, Z8
	VCVTQQ2PD  Z8, Z8
	VADDPD     Z7, Z1, Z9
	VADDPD     Z3, Z9, Z9
	VADDPD     Z8, Z9, Z9
	VMULPD     Z28, Z9, Z9
	VADDPD     Z9, Z5, Z5
	VMULPD     Z27, Z5, Z1
	VMOVDQA64  Z4, Z0
	KEEP(Z0, Z1, AX)
	GATHER(Z0, Z1, AX)
	JMP        done

link:
	MOVQ       DX, CX
	SHRQ       $3, CX
	VMOVDQU64  (R11)(CX*1), Z7
	VPADDQ     Z7, Z0, Z8
	VPSUBQ     Z2, Z8, Z8
	VPADDQ     Z7, Z2, Z9
	VPSUBQ     Z0, Z9, Z9
	VPTERNLOGQ $0xfe, Z8, Z9, Z22

done:
	MOVQ args+0(FP), AX
	MOVQ passRowArgs_width(AX), BX

count:
	MOVL (R15), CX
	INCL (R13)(CX*4)
	MOVL 4(R15), DX
	INCL (R13)(DX*4)
	MOVL 8(R15), CX
	INCL (R13)(CX*4)
	MOVL 12(R15), DX
	INCL (R13)(DX*4)
	MOVL 16(R15), CX
	INCL (R13)(CX*4)
	MOVL 20(R15), DX
	INCL (R13)(DX*4)
	MOVL 24(R15), CX
	INCL (R13)(CX*4)
	MOVL 28(R15), DX
	INCL (R13)(DX*4)
	ADDQ $32, R15
	DECQ BX
	JNZ  count

	MOVQ      passRowArgs_sums(AX), DI
	VMOVDQU64 Z16, (DI)
	VMOVDQU64 Z17, 64(DI)
	VMOVDQU64 Z18, 128(DI)
	VMOVDQU64 Z19, 192(DI)
	VMOVDQU64 Z20, 256(DI)
	VMOVDQU64 Z21, 320(DI)
	VPMOVQ2M  Z22, K1
	KMOVW     K1, AX
	TESTL     AX, AX
	SETNE     ret+8(FP)
	VZEROUPPER
	RET

// In all below
// R8: keys, R9: keys of the row beside it, R11: links, DX: bytes of a row, AX: offset of a vertex

// func leadsAVX512(from, to *lane, links *uint64, width int) bool
TEXT ·leadsAVX512(SB), NOSPLIT, $0-33
	MOVQ   from+0(FP), R8
	MOVQ   to+8(FP), R9
	MOVQ   links+16(FP), R11
	MOVQ   width+24(FP), DX
	XORQ   AX, AX
	VPXORQ Z22, Z22, Z22

leads:
	VMOVDQU64 (R11)(AX*8), Z7
	MOVQ      AX, CX
	SHLQ      $6, CX
	VPADDQ    (R8)(CX*1), Z7, Z7
	VPSUBQ    (R9)(CX*1), Z7, Z7
	VPORQ     Z7, Z22, Z22
	INCQ      AX
	CMPQ      AX, DX
	JNE       leads
	VPMOVQ2M  Z22, K1
	KMOVW     K1, AX
	TESTL     AX, AX
	SETNE     ret+32(FP)
	VZEROUPPER
	RET

// func lowerAVX512(from, to *lane, links *uint64, width int)
TEXT ·lowerAVX512(SB), NOSPLIT, $0-32
	MOVQ from+0(FP), R8
	MOVQ to+8(FP), R9
	MOVQ links+16(FP), R11
	MOVQ width+24(FP), DX
	XORQ AX, AX

lower:
	VMOVDQU64 (R11)(AX*8), Z7
	MOVQ      AX, CX
	SHLQ      $6, CX
	VPADDQ    (R8)(CX*1), Z7, Z7
	VPMINUQ   (R9)(CX*1), Z7, Z7
	VMOVDQU64 Z7, (R9)(CX*1)
	INCQ      AX
	CMPQ      AX, DX
	JNE       lower
	VZEROUPPER
	RET

// func aroundAVX512(row *lane, links *uint64, width int) bool
TEXT ·aroundAVX512(SB), NOSPLIT, $0-25
	MOVQ      row+0(FP), R8
	MOVQ      links+8(FP), R11
	MOVQ      width+16(FP), DX
	MOVQ      R8, R9
	DECQ      DX
	XORQ      AX, AX
	VMOVDQU64 (R8), Z0
	VPXORQ    Z22, Z22, Z22

around:
	VMOVDQU64  (R11)(AX*8), Z7
	CMPQ       AX, DX
	JEQ        last
	ADDQ       $64, R8
	VMOVDQU64  (R8), Z1
	VPSUBQ     Z0, Z1, Z2         // the way over the link
	VPADDQ     Z2, Z7, Z3
	VPSUBQ     Z2, Z7, Z4
	VPTERNLOGQ $0xfe, Z3, Z4, Z22
	VMOVDQA64  Z1, Z0
	INCQ       AX
	JMP        around

last:
	VMOVDQU64  (R9), Z1
	VPSUBQ     Z0, Z1, Z2
	VPADDQ     Z2, Z7, Z3
	VPSUBQ     Z2, Z7, Z4
	VPTERNLOGQ $0xfe, Z3, Z4, Z22
	VPMOVQ2M   Z22, K1
	KMOVW      K1, AX
	TESTL      AX, AX
	SETNE      ret+24(FP)
	VZEROUPPER
	RET

// func alongAVX512(row *lane, links *uint64, width int) bool
//
// Goes around the ring upwards and downwards, and tells whether a key became less.
TEXT ·alongAVX512(SB), NOSPLIT, $0-25
	MOVQ      row+0(FP), R8
	MOVQ      links+8(FP), R11
	MOVQ      width+16(FP), DX
	DECQ      DX
	VPXORQ    Z22, Z22, Z22
	MOVQ      DX, CX
	SHLQ      $6, CX
	VMOVDQU64 (R8)(CX*1), Z0
	VMOVDQU64 (R11)(DX*8), Z7  // from the last to the first
	XORQ      AX, AX
	MOVQ      R8, R9

up:
	VPADDQ    Z0, Z7, Z1
	VMOVDQU64 (R9), Z2
	VPMINUQ   Z1, Z2, Z0
	VPXORQ    Z0, Z2, Z3
	VPORQ     Z3, Z22, Z22
	VMOVDQU64 Z0, (R9)
	VMOVDQU64 (R11)(AX*8), Z7
	ADDQ      $64, R9
	INCQ      AX
	CMPQ      AX, DX
	JLE       up

	VMOVDQU64 (R8), Z0

down:
	VMOVDQU64 (R11)(DX*8), Z7
	VPADDQ    Z0, Z7, Z1
	VMOVDQU64 (R8)(CX*1), Z2
	VPMINUQ   Z1, Z2, Z0
	VPXORQ    Z0, Z2, Z3
	VPORQ     Z3, Z22, Z22
	VMOVDQU64 Z0, (R8)(CX*1)
	SUBQ      $64, CX
	DECQ      DX
	JGE       down

	VPTESTMQ Z22, Z22, K1
	KMOVW    K1, AX
	TESTL    AX, AX
	SETNE    ret+24(FP)
	VZEROUPPER
	RET
